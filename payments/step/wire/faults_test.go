package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/gateway"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/payments/step/wire"
	"example.com/doublecharge/payments/stripetest"
)

// striking strikes the first call at one point, and keeps the events.
type striking struct {
	trace
	strike step.Strike
	spent  atomic.Bool
}

func (s *striking) Record(
	ctx context.Context, name step.Name, d step.Detail, points ...step.Name,
) (step.Strike, error) {
	_, _ = s.trace.Record(ctx, name, d)
	if len(points) == 0 || s.spent.Swap(true) {
		return step.Strike{}, nil
	}
	return s.strike, nil
}

// TestEveryFaultOfTheBankIsUnknownAndChargesOnceUnderAKey: the first call is struck, the second is not, and
// both carry the same key. What the first one did shows in the charges after it.
func TestEveryFaultOfTheBankIsUnknownAndChargesOnceUnderAKey(t *testing.T) {
	t.Parallel()
	for point, c := range map[step.Name]struct {
		charges int  // after the struck call
		stays   bool // unknown stays unknown: the bank has kept its 500
	}{
		step.StripeRequestLost: {0, false}, step.StripeResponseLost: {1, false},
		step.StripeError500: {0, false}, step.StripeChargedThen500: {1, false}, step.StripeStored500: {1, true},
		step.StripeRateLimited: {0, false}, step.StripeKeyInUse: {0, false},
	} {
		t.Run(string(point), func(t *testing.T) {
			t.Parallel()
			server := stripetest.NewServer(t)
			seen := &striking{strike: step.Strike{Point: point}}
			transport := wire.Transport{Base: &http.Transport{}, Probe: step.Probe{Recorder: seen}}
			bank, err := gateway.New(gateway.Config{Key: "sk_test_lane_7", BaseURL: server.URL, Transport: transport})
			if err != nil {
				t.Fatal(err)
			}
			job := payments.ChargeJob{
				MessageID: "m-1", OrderID: "o-1", Account: "ayse", Amount: 42000, Currency: payments.TRY,
				PaymentMethod: "pm_card_visa", CreatedAt: time.Now(),
			}
			if outcome, err := bank.Charge(t.Context(), job, "m-1"); !errors.Is(err, payments.ErrUnknown) {
				t.Errorf("the struck call says %+v, %v", outcome, err)
			}
			if n := len(server.Charges()); n != c.charges {
				t.Errorf("%d charges after it, want %d", n, c.charges)
			}
			if answer := seen.events[1]; answer.Detail.Outcome != "unknown" {
				t.Errorf("the trace says %+v", answer)
			}
			_, err = bank.Charge(t.Context(), job, "m-1")
			if errors.Is(err, payments.ErrUnknown) != c.stays || (err != nil) != c.stays {
				t.Errorf("the second call says %v", err)
			}
			if n := len(server.Charges()); n != 1 {
				t.Errorf("%d charges in the end", n)
			}
			// A look-up that is not struck tells what the bank did.
			if outcome, found, err := bank.Find(t.Context(), job); err != nil || !found || !outcome.Charged() {
				t.Errorf("found %t: %+v, %v", found, outcome, err)
			}
		})
	}
}

func TestALookUpCanBeStruckToo(t *testing.T) {
	t.Parallel()
	seen := &striking{strike: step.Strike{Point: step.StripeRequestLost}}
	bank, err := gateway.New(gateway.Config{
		Key: "sk_test_lane_7", BaseURL: stripetest.NewServer(t).URL,
		Transport: wire.Transport{Base: &http.Transport{}, Probe: step.Probe{Recorder: seen}},
	})
	if err != nil {
		t.Fatal(err)
	}
	job := payments.ChargeJob{MessageID: "m-1", CreatedAt: time.Now()}
	if _, found, err := bank.Find(t.Context(), job); err == nil || found {
		t.Errorf("found %t, %v", found, err)
	}
}

func TestASlowBankAnswersAfterItsTime(t *testing.T) {
	t.Parallel()
	url := bank(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) })
	seen := &striking{strike: step.Strike{Point: step.StripeSlow, Duration: 60 * time.Millisecond}}
	transport := wire.Transport{Base: &http.Transport{}, Probe: step.Probe{Recorder: seen}}
	begun := time.Now()
	response, err := transport.RoundTrip(charge(t.Context(), t, url))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if took := time.Since(begun); took < 60*time.Millisecond {
		t.Errorf("it took %s", took)
	}
	impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	seen = &striking{strike: step.Strike{Point: step.StripeSlow, Duration: time.Hour}}
	transport.Probe.Recorder = seen
	if response, err := transport.RoundTrip(charge(impatient, t, url)); err == nil {
		_ = response.Body.Close()
		t.Error("whoever gave up got an answer")
	}
}
