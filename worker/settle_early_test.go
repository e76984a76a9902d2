package worker_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

func TestAShutdownSettlesNothing(t *testing.T) {
	t.Parallel()
	for _, err := range []error{context.Canceled, payments.ErrUnknown, payments.ErrHopeless} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		b := newBench()
		b.instead(func(context.Context, strategy.Delivery) error {
			stop()
			return err
		})
		m := newMessage(someJob("naive"))
		b.Handle(ctx, m)
		wantSettled(t, m, nil)
		// The lab sees that nobody has it in hand any more, for the process may live on.
		if noted, _ := b.trace.last(step.WorkerSettled); noted.Detail.How != "returned" {
			t.Errorf("the trace notes %+v", noted)
		}
	}
}

func TestWhatIsDoneIsAckedEvenInAShutdown(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	b := newBench()
	b.instead(func(context.Context, strategy.Delivery) error {
		stop()
		return nil
	})
	m := newMessage(someJob("naive"))
	b.Handle(ctx, m)
	wantSettled(t, m, acked)
}

func TestAfterAnEarlyAckNothingIsSettledButTheEndIsNoted(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]error{
		"done": nil, "unknown": payments.ErrUnknown, "hopeless": payments.ErrHopeless, "stopped": context.Canceled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench()
			b.instead(func(ctx context.Context, d strategy.Delivery) error {
				if err := d.Ack(ctx); err != nil {
					t.Error(err)
				}
				return end
			})
			m := newMessage(someJob("naive"))
			b.Handle(t.Context(), m)
			wantSettled(t, m, acked)
			want := []step.Name{step.BrokerDeliver, step.WorkerReceived, step.WorkerAcked, step.WorkerSettled}
			if diff := cmp.Diff(want, b.trace.names()); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnErrorAfterAnEarlyAckIsNoneToTheStrategy(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.trace.once = step.WorkerAcked
	said := errors.New("never asked")
	b.instead(func(ctx context.Context, d strategy.Delivery) error {
		said = d.Ack(ctx)
		return said
	})
	b.Handle(t.Context(), newMessage(someJob("naive")))
	if said != nil {
		t.Errorf("the strategy was told %v, and the message is acked", said)
	}
}

func TestAnEarlyAckThatFailsIsNone(t *testing.T) {
	t.Parallel()
	b := newBench()
	m := newMessage(someJob("naive"))
	b.instead(func(ctx context.Context, d strategy.Delivery) error {
		m.fails = errors.New("the session is gone")
		err := d.Ack(ctx)
		m.fails = nil
		return err
	})
	b.Handle(t.Context(), m)
	wantSettled(t, m, []settlement{{How: "ack"}, {How: "retry", Delay: time.Second}})
}

// TestATurnEndsEvenWhenItsSettlementFails: the message goes back, perhaps to another worker, and the
// lab would else wait for this one for ever.
func TestATurnEndsEvenWhenItsSettlementFails(t *testing.T) {
	t.Parallel()
	for _, end := range []error{nil, payments.ErrUnknown, payments.ErrHopeless} {
		b := newBench()
		b.instead(func(context.Context, strategy.Delivery) error { return end })
		m := newMessage(someJob("naive"))
		m.fails = errors.New("not confirmed")
		b.Handle(t.Context(), m)
		if len(m.settled) != 1 {
			t.Errorf("after %v it was settled %d times", end, len(m.settled))
		}
		noted, _ := b.trace.last(step.WorkerSettled)
		if noted.Detail.How != "returned" || !strings.Contains(noted.Detail.Reason, "not confirmed") {
			t.Errorf("after %v the trace notes %+v", end, noted)
		}
	}
}
