package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/doublecharge/api"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// injector returns an error at one step, so many times.
type injector struct {
	at    step.Name
	mu    sync.Mutex
	times int
}

func (i *injector) Record(_ context.Context, name step.Name, _ step.Detail, _ ...step.Name) (step.Strike, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if name != i.at || i.times == 0 {
		return step.Strike{}, nil
	}
	i.times--
	return step.Strike{Action: step.Error}, nil
}

func (i *injector) Await(context.Context, int64) error { return nil }

// TestAnErrorBeforeCommitLeavesNothing, and the key may be used again, even for another request.
func TestAnErrorBeforeCommitLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, at := range []step.Name{step.APIReceived, step.APIWritten} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			s := open(t, withProbe(&injector{at: at, times: 2}))
			for range 2 {
				answer := s.buy(t, "ayse", "k", coffee)
				if p := answer.problem(t); answer.status != http.StatusInternalServerError || p.Detail != "" {
					t.Errorf("got %d %s", answer.status, answer.body)
				}
				s.wantOrders(t, 0)
			}
			answer := s.buy(t, "ayse", "k", strings.Replace(coffee, "try", "eur", 1))
			if answer.status != http.StatusAccepted || answer.header.Get("Idempotent-Replayed") != "" {
				t.Errorf("afterwards: %d %v %s", answer.status, answer.header, answer.body)
			}
			s.wantOrders(t, 1)
			s.wantNothingSecretLogged(t)
		})
	}
}

// TestAnErrorAfterCommitIsReplayed: the client is told of an error, asks again, and has one order.
func TestAnErrorAfterCommitIsReplayed(t *testing.T) {
	t.Parallel()
	s := open(t, withProbe(&injector{at: step.APICommitted, times: 1}))
	if answer := s.buy(t, "ayse", "secret-key-of-ayse", coffee); answer.status != http.StatusInternalServerError {
		t.Errorf("got %d %s", answer.status, answer.body)
	}
	s.wantOrders(t, 1)
	s.wantNothingSecretLogged(t)
	answer := s.buy(t, "ayse", "secret-key-of-ayse", coffee)
	if answer.status != http.StatusAccepted || answer.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %d %v %s", answer.status, answer.header, answer.body)
	}
	if location := answer.header.Get("Location"); s.do(t, http.MethodGet, location, "",
		from("ayse")).body != answer.body {
		t.Errorf("the replay is not the order at %s: %s", location, answer.body)
	}
	s.wantOrders(t, 1)
}

// wantNothingSecretLogged: an error is logged, but neither who asked, nor with which key, nor for what.
func (s *shop) wantNothingSecretLogged(t *testing.T) {
	t.Helper()
	text := s.logs.String()
	if !strings.Contains(text, "injected error") {
		t.Errorf("the error is not logged: %s", text)
	}
	for _, secret := range []string{"ck_demo", "Bearer", "secret-key", "pm_card_visa", "filter-coffee"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is logged: %s", secret, text)
		}
	}
}

// TestAClientThatHangsUpBeforeCommitHasItsOrder: what has begun is finished.
func TestAClientThatHangsUpBeforeCommitHasItsOrder(t *testing.T) {
	t.Parallel()
	held := hold(t, step.APIWritten)
	committed := make(chan struct{}, 1)
	s := open(t, withProbe(held), func(c *api.Config) { c.Committed = func() { committed <- struct{}{} } })
	ctx, hangUp := context.WithCancel(t.Context())
	r := s.request(t, http.MethodPost, "/v1/checkouts", coffee, from("ayse"), as("Idempotency-Key", "k"))
	gone := make(chan error, 1)
	go func() {
		_, err := s.send(r.WithContext(ctx))
		gone <- err
	}()
	receive(t, "the request at its step", held.arrived)
	hangUp()
	if err := receive(t, "the client to leave", gone); !errors.Is(err, context.Canceled) {
		t.Fatalf("the client got %v", err)
	}
	close(held.release)
	receive(t, "the commit", committed)
	s.wantOrders(t, 1)
	if answer := s.buy(t, "ayse", "k", coffee); answer.status != http.StatusAccepted ||
		answer.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the client comes back and gets %d %v", answer.status, answer.header)
	}
}

// TestHangingUpNeverSplits: wherever the client leaves, there is all of an order or nothing of it.
func TestHangingUpNeverSplits(t *testing.T) {
	t.Parallel()
	s := open(t)
	const clients = 60
	var all sync.WaitGroup
	for i := range clients {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*200*time.Microsecond)
		defer cancel()
		r := s.request(t, http.MethodPost, "/v1/checkouts", coffee, from("ayse"),
			as("Idempotency-Key", "k"+strconv.Itoa(i)))
		all.Go(func() { _, _ = s.send(r.WithContext(ctx)) }) // Some get an answer, and some do not.
	}
	all.Wait()
	for i := range clients { // Every client comes back. Those that are still at work answer 409.
		answer := s.buy(t, "ayse", "k"+strconv.Itoa(i), coffee)
		for answer.status == http.StatusConflict && t.Context().Err() == nil {
			answer = s.buy(t, "ayse", "k"+strconv.Itoa(i), coffee)
		}
		if answer.status != http.StatusAccepted {
			t.Errorf("client %d: %d %s", i, answer.status, answer.body)
		}
	}
	s.wantOrders(t, clients)
}

// doubtful is a store whose answer to COMMIT gets lost, after or before the commit.
type doubtful struct {
	*postgres.Store
	commits bool
	times   int // Only so often; it belongs to one request at a time.
}

func (d *doubtful) SaveCheckout(ctx context.Context, a payments.Answer, c payments.Checkout) error {
	if d.times == 0 {
		return d.Store.SaveCheckout(ctx, a, c)
	}
	d.times--
	if d.commits {
		if err := d.Store.SaveCheckout(ctx, a, c); err != nil {
			return err
		}
	}
	return payments.ErrUnknown
}

func withDoubt(commits bool) func(*api.Config) {
	return func(c *api.Config) {
		store, _ := c.Store.(*postgres.Store)
		c.Store = &doubtful{store, commits, 1}
	}
}

func TestACommitInDoubtIsLookedUp(t *testing.T) {
	t.Parallel()
	s := open(t, withDoubt(true))
	answer := s.buy(t, "ayse", "k", coffee)
	if answer.status != http.StatusAccepted {
		t.Fatalf("it was committed, and the answer is %d %s", answer.status, answer.body)
	}
	s.wantOrders(t, 1)
	wantReplay(t, s.buy(t, "ayse", "k", coffee), answer)
}

// TestACommitThatCannotBeFoundIsUnknown, and never reported as a failure; the client asks again.
func TestACommitThatCannotBeFoundIsUnknown(t *testing.T) {
	t.Parallel()
	s := open(t, withDoubt(false))
	answer := s.buy(t, "ayse", "k", coffee)
	if p := answer.problem(t); answer.status != http.StatusServiceUnavailable ||
		answer.header.Get("Retry-After") != "1" ||
		p.Title != "Outcome unknown: ask again with the same key" {
		t.Errorf("got %d %v %s", answer.status, answer.header, answer.body)
	}
	s.wantOrders(t, 0)
	if again := s.buy(t, "ayse", "k", coffee); again.status != http.StatusAccepted ||
		again.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	s.wantOrders(t, 1)
}

// TestTheTraceTellsFirstFromReplay, with the real recorder on a pool of its own.
func TestTheTraceTellsFirstFromReplay(t *testing.T) {
	t.Parallel()
	var recorder *postgres.Recorder
	s := open(t, func(c *api.Config) {
		store, _ := c.Store.(*postgres.Store)
		recorder = postgres.NewRecorder(store, step.Process{Role: "api", Number: 1})
		withProbe(recorder)(c)
	})
	order := s.buy(t, "ayse", "k", coffee).order(t)
	s.buy(t, "ayse", "k", coffee)
	events, err := s.store.Events(t.Context(), 0, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		line := string(e.Step)
		if e.OrderID == order.ID {
			line += " of the order"
		}
		if e.Step == step.HTTPRequest {
			detail, _ := json.Marshal(e.Detail)
			line += " " + string(detail)
		}
		got = append(got, line)
	}
	want := []string{
		`http.request of the order {"from":"client","to":"api","key":"k"}`,
		"api.received of the order", "api.written of the order", "api.committed of the order",
		`http.request of the order {"from":"api","to":"client","key":"k","status":202}`,
		`http.request {"from":"client","to":"api","key":"k"}`, "api.received",
		`http.request of the order {"from":"api","to":"client","key":"k","outcome":"replayed","status":202}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the trace tells\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
