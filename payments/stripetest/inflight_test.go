package stripetest_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/doublecharge/payments/stripetest"
)

// held starts a server whose first execution waits inside, after its key was claimed, and sends it a
// call that does. Releasing lets the call go on and returns its answer.
func held(t *testing.T) (server *stripetest.TestServer, release func() reply) {
	t.Helper()
	entered, leave, answers := make(chan struct{}), make(chan struct{}), make(chan reply, 1)
	var taken atomic.Bool
	server = stripetest.NewServerWith(t, stripetest.Config{Now: newYear, Executing: func(*http.Request) {
		if taken.CompareAndSwap(false, true) {
			close(entered)
			<-leave
		}
	}})
	letGo := sync.OnceFunc(func() { close(leave) })
	t.Cleanup(letGo) // A test that fails early must not leave the server waiting.
	go func() {
		got, err := demo(server).try(t, http.MethodPost, "/v1/payment_intents", "k", payment())
		if err != nil {
			t.Error(err)
		}
		answers <- got
	}()
	<-entered
	return server, func() reply {
		letGo()
		return <-answers
	}
}

func TestKeyInFlight(t *testing.T) {
	t.Parallel()
	server, release := held(t)
	bank := demo(server)
	inUse := map[string]any{"error.type": "idempotency_error", "error.code": "idempotency_key_in_use"}
	for range 2 { // Asking does not free the key.
		bank.create(t, "k", payment()).wants(t, http.StatusConflict, inUse)
	}
	bank.create(t, "k", payment("amount", "3000")).wants(t, http.StatusBadRequest,
		map[string]any{"error.type": "idempotency_error", "error.message": otherParameters})
	bank.as("other").get(t, "/v1/charges").wants(t, http.StatusOK, nil)
	if got := len(server.Charges()); got != 0 {
		t.Errorf("%d charges while the only call is held", got)
	}
	server.Advance(25 * time.Hour)
	first := release()
	first.wants(t, http.StatusOK, map[string]any{"created": float64(newYear().Add(25 * time.Hour).Unix())})
	if again := bank.create(t, "k", payment()); again.body != first.body || len(server.Charges()) != 1 {
		t.Errorf("not replayed: %s", again.body)
	}
}

func TestResetWhileInFlight(t *testing.T) {
	t.Parallel()
	server, release := held(t)
	server.Reset()
	got := release()
	got.wants(t, http.StatusInternalServerError, map[string]any{"error.type": "api_error"})
	if charges := server.Charges(); len(charges) != 0 {
		t.Errorf("a forgotten call charged: %v", charges)
	}
}

func TestFiftyParallelCallsChargeOnce(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	for round := range 20 {
		key := "round-" + string(rune('a'+round))
		bank, start, calls := demo(server).as(key), make(chan struct{}), sync.WaitGroup{}
		for range 50 {
			calls.Go(func() {
				<-start
				got, err := bank.try(t, http.MethodPost, "/v1/payment_intents", key, payment())
				if err != nil || got.status != http.StatusOK && got.status != http.StatusConflict {
					t.Errorf("%v, status %d: %s", err, got.status, got.body)
				}
			})
		}
		close(start)
		calls.Wait()
	}
	if got := len(server.Charges()); got != 20 {
		t.Errorf("%d charges for 20 keys", got)
	}
	executed := 0
	for _, request := range server.Requests() {
		if request.Executed {
			executed++
		}
	}
	if executed != 20 || len(server.Requests()) != 1000 {
		t.Errorf("%d of %d executed, want 20 of 1000", executed, len(server.Requests()))
	}
}
