package lab

import (
	"context"
	"fmt"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
)

// replaceWait is how long the workers may take to be replaced.
const replaceWait = 15 * time.Second

// Resetting says whether the table is being cleared just now: new checkouts have to wait.
func (l *Lab) Resetting() bool { return l.resetting.Load() }

// Reset clears the table in about a second. The workers are replaced between two purges, because one
// of them may hold a message; a message that gets through all the same finds its attempt gone, and is
// acked without a charge.
func (l *Lab) Reset(ctx context.Context) error {
	if l.resetting.Swap(true) {
		return fmt.Errorf("%w: a reset is under way", payments.ErrConflict)
	}
	defer l.resetting.Store(false)
	retries, err := l.Store.RetryQueues(ctx)
	if err != nil {
		return err
	}
	l.keepCheckouts(ctx)
	for _, do := range []func() error{
		func() error { return l.Store.BeginReset(ctx) },
		func() error { return l.Queues.Purge(ctx, retries) },
		func() error { return l.replaceWorkers(ctx) },
		func() error { return l.Queues.Purge(ctx, retries) },
		func() error { return l.resetBank(ctx) },
		func() error { return l.flushRedis(ctx) },
		func() error { return l.Store.FinishReset(ctx) }, // What slipped in since is gone at the bank, too.
	} {
		if err := do(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
	}
	return nil
}

// resetBank makes the emulator forget. Stripe keeps its books; the statement begins at the reset.
func (l *Lab) resetBank(ctx context.Context) error {
	if l.Emulator == nil {
		return nil
	}
	return l.Emulator.Reset(ctx)
}

// flushRedis forgets the marks. A Redis that is away has nothing that could be trusted afterwards, but its
// keys are message ids, which never come again.
func (l *Lab) flushRedis(ctx context.Context) error {
	if l.Redis == nil {
		return nil
	}
	if err := l.Redis.Flush(ctx); err != nil {
		l.Log.WarnContext(ctx, "Redis was not flushed", "error", err)
	}
	return nil
}

// replaceWorkers gives the command and waits until the supervisor has carried it out.
func (l *Lab) replaceWorkers(ctx context.Context) error {
	id, err := l.Store.Give(ctx, "worker", postgres.ReplaceCommand)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, replaceWait)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		done, err := l.Store.IsDone(ctx, id)
		if err != nil || done {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: the workers were not replaced in time", payments.ErrUnavailable)
		}
	}
}
