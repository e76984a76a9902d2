package stripetest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/doublecharge/payments/stripetest"
)

// A waiting is one emulator in a bubble with a clock of its own: a call that is still held when all
// else stands still is held for good.
type waiting struct {
	server *stripetest.Server
	start  time.Time
}

func newWaiting(t *testing.T, fault string) waiting {
	t.Helper()
	server, err := stripetest.New(stripetest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	w := waiting{server: server, start: time.Now()}
	if got := w.serve(t.Context(), "/_emulator/faults", fault); got.Code != http.StatusOK {
		t.Fatalf("arm %s: %d %s", fault, got.Code, got.Body)
	}
	return w
}

func (w waiting) serve(ctx context.Context, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, path, strings.NewReader(body))
	if strings.HasPrefix(path, "/v1/") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Authorization", "Bearer sk_test_demo")
		r.Header.Set("Idempotency-Key", "k")
	}
	answer := httptest.NewRecorder()
	w.server.ServeHTTP(answer, r)
	return answer
}

// pay starts a payment and returns where its status will come, once all that can move has moved.
func (w waiting) pay(ctx context.Context) <-chan int {
	status := make(chan int, 1)
	go func() { status <- w.serve(ctx, "/v1/payment_intents", payment()).Code }()
	synctest.Wait()
	return status
}

// wants checks that a call ended with this status, this long after the beginning.
func (w waiting) wants(t *testing.T, ended <-chan int, status int, after time.Duration) {
	t.Helper()
	if got := <-ended; got != status {
		t.Errorf("status %d, want %d", got, status)
	}
	if got := time.Since(w.start); got != after {
		t.Errorf("it took %v, want %v", got, after)
	}
}

func TestADelayComesBeforeTheKeyIsClaimed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWaiting(t, `{"kind":"delay","duration_ms":1500}`)
		delayed := w.pay(t.Context())
		w.wants(t, w.pay(t.Context()), http.StatusOK, 0)
		w.wants(t, delayed, http.StatusOK, 1500*time.Millisecond)
		if got := len(w.server.Charges("")); got != 1 {
			t.Errorf("%d charges", got)
		}
	})
}

func TestAHoldEndsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWaiting(t, `{"kind":"hold"}`)
		held := w.pay(t.Context())
		w.wants(t, w.pay(t.Context()), http.StatusConflict, 0)
		w.wants(t, held, http.StatusOK, 2*time.Second)
	})
}

func TestAHoldEndsWithItsOwnRelease(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"account":"demo"}`, `{}`, ``} {
		synctest.Test(t, func(t *testing.T) {
			w := newWaiting(t, `{"kind":"hold"}`)
			held := w.pay(t.Context())
			w.serve(t.Context(), "/_emulator/release", `{"account":"other"}`)
			synctest.Wait()
			if len(held) != 0 {
				t.Error("another account's release let it go")
			}
			w.serve(t.Context(), "/_emulator/release", body)
			w.wants(t, held, http.StatusOK, 0)
		})
	}
}

func TestAReleaseShortensNoDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWaiting(t, `{"kind":"delay"}`)
		delayed := w.pay(t.Context())
		w.serve(t.Context(), "/_emulator/release", ``)
		w.wants(t, delayed, http.StatusOK, 2*time.Second)
	})
}

func TestAReleaseIsForThoseWhoAreHeldNow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWaiting(t, `{"kind":"hold","path":"/v1/payment_intents"}`)
		held := w.pay(t.Context())
		w.serve(t.Context(), "/_emulator/release", ``)
		w.wants(t, held, http.StatusOK, 0)
		w.serve(t.Context(), "/_emulator/reset", ``)
		w.serve(t.Context(), "/_emulator/faults", `{"kind":"hold","path":"/v1/payment_intents"}`)
		w.wants(t, w.pay(t.Context()), http.StatusOK, 2*time.Second)
	})
}

// TestNobodyWaitsForACallerThatIsGone: what it asked for happens all the same, as at any bank.
func TestNobodyWaitsForACallerThatIsGone(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"delay", "hold"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWaiting(t, `{"kind":"`+kind+`"}`)
			ctx, hangUp := context.WithCancel(t.Context())
			ended := w.pay(ctx)
			hangUp()
			w.wants(t, ended, http.StatusOK, 0)
			if got := len(w.server.Charges("")); got != 1 {
				t.Errorf("%s: %d charges", kind, got)
			}
		})
	}
}

func TestNobodyWaitsInAServerThatCloses(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"delay", "hold"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWaiting(t, `{"kind":"`+kind+`","times":2}`)
			ended := w.pay(t.Context())
			if err := w.server.Close(); err != nil {
				t.Error(err)
			}
			w.wants(t, ended, http.StatusOK, 0)
		})
	}
}

// TestResetLetsTheHeldCallFindOut: it charges nobody in the account's new life.
func TestResetLetsTheHeldCallFindOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWaiting(t, `{"kind":"hold","times":5}`)
		held := w.pay(t.Context())
		w.serve(t.Context(), "/_emulator/reset", `{"account":"demo"}`)
		w.wants(t, held, http.StatusInternalServerError, 0)
		if got := len(w.server.Charges("")); got != 0 {
			t.Errorf("%d charges", got)
		}
	})
}
