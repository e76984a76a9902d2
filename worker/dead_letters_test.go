package worker_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker"
)

type deadMessage struct {
	letter payments.DeadLetter
	acks   int
}

func (m *deadMessage) AsDeadLetter() payments.DeadLetter { return m.letter }
func (m *deadMessage) Ack() error                        { m.acks++; return nil }

func TestADeadLetterIsAckedOnlyWhenItIsKeptAndIsNeverLeftInTheWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		letter := payments.DeadLetter{MessageID: "m-1", Reason: "hopeless", Body: bodyOf(someJob("naive"))}
		m := &deadMessage{letter: letter}
		var kept []payments.DeadLetter
		down := 3
		letters := worker.DeadLetters{
			Keep: func(_ context.Context, d payments.DeadLetter) error {
				if m.acks > 0 {
					t.Error("it was acked first")
				}
				if down--; down >= 0 {
					return payments.ErrUnavailable
				}
				kept = append(kept, d)
				return nil
			},
			Deliveries: func(_ context.Context, id string) (int, error) {
				if id != orderID {
					t.Errorf("the deliveries of order %q are asked for", id)
				}
				return 4, nil
			},
			Log: quietly(),
		}
		letters.Handle(t.Context(), m)
		want := m.letter
		want.OrderID, want.Deliveries = orderID, 4
		if diff := cmp.Diff([]payments.DeadLetter{want}, kept); diff != "" || m.acks != 1 {
			t.Errorf("%d acks, and kept:\n%s", m.acks, diff)
		}
	})
}

func TestAStopLeavesADeadLetterToTheBroker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &deadMessage{letter: payments.DeadLetter{Body: []byte("{]")}}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute) // Longer than any patience but its own.
		defer cancel()
		tries := 0
		worker.DeadLetters{
			Keep:       func(context.Context, payments.DeadLetter) error { tries++; return errors.New("down") },
			Deliveries: func(context.Context, string) (int, error) { return 0, payments.ErrInvalid },
			Log:        quietly(),
		}.Handle(ctx, m)
		if m.acks != 0 || ctx.Err() == nil || tries < 10 {
			t.Errorf("%d acks after %d tries, and the context says %v", m.acks, tries, ctx.Err())
		}
	})
}
