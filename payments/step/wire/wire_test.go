package wire_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/payments/step/wire"
)

// trace keeps the events, and strikes all of them, to no effect.
type trace struct {
	mu     sync.Mutex
	events []event
}

type event struct {
	Name   step.Name
	Detail step.Detail
}

func (t *trace) Record(_ context.Context, name step.Name, d step.Detail, _ ...step.Name) (step.Strike, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events = append(t.events, event{name, d})
	return step.Strike{Action: step.Error}, nil
}

func (t *trace) Await(context.Context, int64) error { return nil }

// observed is a client whose calls are observed.
func observed(seen *trace) *http.Client {
	return &http.Client{
		Timeout:   30 * time.Second,
		Transport: wire.Transport{Base: &http.Transport{}, Probe: step.Probe{Recorder: seen}},
	}
}

func bank(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL
}

const form = "amount=42000&currency=try&payment_method=pm_card_visa"

func charge(ctx context.Context, t *testing.T, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/payment_intents", strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Idempotency-Key", "message-1")
	return r
}

func TestACallAndItsAnswerAreNoted(t *testing.T) {
	t.Parallel()
	call := step.Detail{From: "worker", To: "stripe", Key: "message-1", Amount: 42000, Currency: "try"}
	for name, c := range map[string]struct {
		status   int
		replayed bool
		body     string
		want     step.Detail
	}{
		"charged": {
			200, false, `{"status":"succeeded","latest_charge":"ch_1"}`,
			step.Detail{Outcome: "charged", ChargeID: "ch_1"},
		},
		"charged, expanded": {
			200, false, `{"status":"succeeded","latest_charge":{"id":"ch_1"}}`,
			step.Detail{Outcome: "charged", ChargeID: "ch_1"},
		},
		"replayed": {
			200, true, `{"status":"succeeded","latest_charge":"ch_1"}`,
			step.Detail{Outcome: "replayed", ChargeID: "ch_1"},
		},
		"declined": {
			402, false, `{"error":{"charge":"ch_2","type":"card_error"}}`,
			step.Detail{Outcome: "declined", ChargeID: "ch_2"},
		},
		"still going on": {200, false, `{"status":"processing","latest_charge":null}`, step.Detail{Outcome: "unknown"}},
		"in flight":      {409, false, `{"error":{"type":"idempotency_error"}}`, step.Detail{Outcome: "unknown"}},
		"broken":         {500, false, `{"error":{"type":"api_error"}}`, step.Detail{Outcome: "unknown"}},
		"a proxy's page": {502, false, `<h1>Bad Gateway</h1>`, step.Detail{Outcome: "unknown"}},
		"nothing":        {200, false, ``, step.Detail{Outcome: "unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := make(chan string, 1)
			url := bank(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got <- string(body)
				w.Header().Set("Request-Id", "req_1")
				if c.replayed {
					w.Header().Set("Idempotent-Replayed", "true")
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			seen := &trace{}
			response, err := observed(seen).Do(charge(t.Context(), t, url))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			if body := <-got; body != form {
				t.Errorf("the bank was sent %q", body)
			}
			if body, err := io.ReadAll(response.Body); err != nil || string(body) != c.body ||
				response.StatusCode != c.status {
				t.Errorf("the caller got %d %q, %v", response.StatusCode, body, err)
			}
			answer := c.want
			answer.From, answer.To, answer.Key = "stripe", "worker", "message-1"
			answer.Status, answer.RequestID = c.status, "req_1"
			want := []event{{step.StripeCharge, call}, {step.StripeCharge, answer}}
			if diff := cmp.Diff(want, seen.events); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// TestALookUpTellsOfItsOwnPaymentOnly: the trace says what came of the job that is looked up, not of others.
func TestALookUpTellsOfItsOwnPaymentOnly(t *testing.T) {
	t.Parallel()
	url := bank(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"object":"list","data":[
			{"status":"succeeded","latest_charge":"ch_0"},
			{"status":"succeeded","latest_charge":"ch_1","metadata":{"message_id":"m1"}},
			{"status":"requires_payment_method","latest_charge":"ch_2","metadata":{"message_id":"m2"}},
			{"status":"processing","latest_charge":null,"metadata":{"message_id":"m3"}}]}`)
	})
	for message, want := range map[string]step.Detail{
		"m1": {Outcome: "charged", ChargeID: "ch_1"}, "m2": {Outcome: "declined", ChargeID: "ch_2"},
		"m3": {Outcome: "unknown"}, "m4": {}, "": {},
	} {
		seen := &trace{}
		about := step.About(t.Context(), step.Subject{MessageID: message})
		get(about, t, observed(seen), url+"/v1/payment_intents?limit=100")
		want.From, want.To, want.Status = "stripe", "worker", http.StatusOK
		if diff := cmp.Diff([]event{
			{step.StripeFind, step.Detail{From: "worker", To: "stripe"}}, {step.StripeFind, want},
		}, seen.events); diff != "" {
			t.Errorf("message %q (-want +got):\n%s", message, diff)
		}
	}
}

func TestOtherCallsPassUnseen(t *testing.T) {
	t.Parallel()
	url := bank(t, func(http.ResponseWriter, *http.Request) {})
	seen := &trace{}
	get(t.Context(), t, observed(seen), url+"/v1/charges")
	if len(seen.events) != 0 {
		t.Errorf("seen: %v", seen.events)
	}
}

func get(ctx context.Context, t *testing.T, client *http.Client, url string) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
}

// TestALostAnswerIsUnknown cuts the connection before, and within, the answer.
func TestALostAnswerIsUnknown(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]http.HandlerFunc{
		"before": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"within": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"status":"succeeded",`)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := &trace{}
			response, err := observed(seen).Do(charge(t.Context(), t, bank(t, cut)))
			if err == nil {
				_ = response.Body.Close()
				t.Fatal("the caller got an answer")
			}
			if len(seen.events) != 2 || seen.events[1].Detail.Outcome != "unknown" {
				t.Errorf("events: %+v, want a call and an unknown answer", seen.events)
			}
		})
	}
}

// TestACallIsSentOnce: on a kept connection that breaks, net/http would send a request with an
// Idempotency-Key again by itself, and the trace would show one call where the bank saw two.
func TestACallIsSentOnce(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	url := bank(t, func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) > 1 {
			panic(http.ErrAbortHandler) // The connection is an old one by now.
		}
		_, _ = io.WriteString(w, `{"status":"succeeded","latest_charge":"ch_1"}`)
	})
	client := observed(&trace{})
	first, err := client.Do(charge(t.Context(), t, url))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, first.Body)
	_ = first.Body.Close()
	second, err := client.Do(charge(t.Context(), t, url))
	if err == nil {
		_ = second.Body.Close()
		t.Error("the second call got an answer")
	}
	if n := calls.Load(); n != 2 {
		t.Errorf("two calls reached the bank %d times", n)
	}
}
