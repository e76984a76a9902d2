package worker_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"example.com/doublecharge/worker/strategy"
)

// TestADeliveryThatTakesTooLongIsTriedAgainLater: what is promised of keys holds for a delivery that is
// handled in time, so one that is not must end.
func TestADeliveryThatTakesTooLongIsTriedAgainLater(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.Deadline = time.Millisecond
	var ended error
	b.instead(func(ctx context.Context, _ strategy.Delivery) error {
		<-ctx.Done()
		ended = ctx.Err()
		return ended
	})
	m := newMessage(someJob("naive"))
	b.Handle(t.Context(), m)
	if !errors.Is(ended, context.DeadlineExceeded) {
		t.Errorf("the strategy was told %v", ended)
	}
	wantSettled(t, m, []settlement{{How: "retry", Delay: time.Second}})
}
