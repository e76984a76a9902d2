package client_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/doublecharge/lab/client"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// serve is a lab that answers as the handler says.
func serve(t *testing.T, handler http.HandlerFunc) *client.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c := client.New(server.URL + "/")
	t.Cleanup(c.Close)
	return c
}

// TestARunIsAskedForAsTheLabTakesIt: no nulls, and no field that it does not know.
func TestARunIsAskedForAsTheLabTakesIt(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked <- r.Method + " " + r.URL.Path + " " + r.Header.Get("Content-Type") + " " + string(body)
		_, _ = io.WriteString(w, `{"id":"r","state":"running"}`)
	})
	run, err := c.StartRun(t.Context(), step.RunSpec{Strategy: "naive", Orders: 1})
	want := `POST /lab/runs application/json {"strategy":"naive","faults":[],"orders":1,"settings":{}}`
	if got := <-asked; err != nil || run.ID != "r" || got != want {
		t.Errorf("asked %s, got %+v, %v", got, run, err)
	}
	_, _ = c.StartRun(t.Context(), step.RunSpec{Faults: []step.Fault{{Point: step.WorkerCharged, Times: 1}}})
	if got := <-asked; strings.Contains(got, `"id"`) {
		t.Errorf("a fault that nobody armed has an id: %s", got)
	}
}

// TestAJobIsAwaitedOverAnApiThatDies: an answer that is lost is no end.
func TestAJobIsAwaitedOverAnApiThatDies(t *testing.T) {
	t.Parallel()
	var looks atomic.Int32
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		switch looks.Add(1) {
		case 1:
			_, _ = io.WriteString(w, `{"id":"r","state":"running"}`)
		case 2:
			panic(http.ErrAbortHandler)
		case 3:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			_, _ = io.WriteString(w, `{"id":"r","state":"finished","verdict":"charged-once"}`)
		}
	})
	run, err := c.AwaitRun(t.Context(), "r")
	if err != nil || run.Verdict != payments.ChargedOnce || looks.Load() != 4 {
		t.Errorf("%+v, %v, after %d looks", run, err, looks.Load())
	}
}

// TestALabThatIsGoneIsNotAwaitedForEver, and neither is one that has no such job.
func TestALabThatIsGoneIsNotAwaitedForEver(t *testing.T) {
	t.Parallel()
	gone := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	gone.Impatient()
	if _, err := gone.AwaitRun(t.Context(), "r"); !errors.Is(err, payments.ErrUnavailable) {
		t.Errorf("gone: %v", err)
	}
	c := serve(t, http.NotFound)
	if _, err := c.AwaitRun(t.Context(), "r"); !errors.Is(err, payments.ErrNotFound) {
		t.Errorf("no such run: %v", err)
	}
}

// TestAStoppedJobIsAnError that says why, and is given all the same.
func TestAStoppedJobIsAnError(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"id":"r","state":"stopped","error":"out of coffee"}`)
	})
	run, err := c.AwaitRun(t.Context(), "r")
	if err == nil || !strings.Contains(err.Error(), "out of coffee") || run.ID != "r" {
		t.Errorf("%+v, %v", run, err)
	}
}

// TestWhatTheLabSaysIsKept, and is one of the domain's errors.
func TestWhatTheLabSaysIsKept(t *testing.T) {
	t.Parallel()
	for status, kind := range map[int]error{
		http.StatusNotFound: payments.ErrNotFound, http.StatusConflict: payments.ErrConflict,
		http.StatusUnprocessableEntity: payments.ErrInvalid, http.StatusServiceUnavailable: payments.ErrUnavailable,
	} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(map[string]any{"title": "No", "detail": "because", "field": "orders"})
		})
		err := c.Post(t.Context(), "/lab/runs", nil, nil)
		if !errors.Is(err, kind) || !strings.Contains(err.Error(), "No: orders: because") {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestNobodyThereIsUnavailable, and somebody else is no lab.
func TestNobodyThereIsUnavailable(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	if _, err := client.New(closed.URL).State(t.Context()); !errors.Is(err, payments.ErrUnavailable) {
		t.Errorf("a closed door: %v", err)
	}
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })
	if _, err := c.State(t.Context()); err == nil || errors.Is(err, payments.ErrUnavailable) {
		t.Errorf("another server: %v", err)
	}
}
