package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// turn is one delivery's way through the loop. It is what a strategy sees as its delivery.
type turn struct {
	worker  *Worker
	message Message
	job     payments.ChargeJob
	log     *slog.Logger
	age     time.Duration
	acked   bool
}

// run gives the delivery to the strategy that travels in its message.
func (t *turn) run(ctx context.Context) error {
	if returns := t.message.Returns(); returns > maxReturns {
		return fmt.Errorf("%w: it came back %d times", payments.ErrHopeless, returns)
	}
	handler, err := t.strategy()
	if err != nil {
		return err
	}
	if err := t.worker.Probe.Reach(ctx, step.WorkerReceived, step.Detail{Strategy: t.job.Strategy}); err != nil {
		return err
	}
	now, err := t.worker.Now(ctx)
	if err != nil {
		return err
	}
	t.age = now.Sub(t.job.CreatedAt)
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.worker.Deadline, Deadline))
	defer cancel()
	return handler.Handle(ctx, t)
}

func (t *turn) strategy() (strategy.Strategy, error) {
	for _, named := range t.worker.Strategies {
		if named.ID == t.job.Strategy {
			return named.Strategy, nil
		}
	}
	return nil, fmt.Errorf("%w: there is no strategy %q", payments.ErrHopeless, t.job.Strategy)
}

// Job is the charge job in hand.
func (t *turn) Job() payments.ChargeJob { return t.job }

// Redelivered is the broker's hint.
func (t *turn) Redelivered() bool { return t.message.Redelivered() }

// Age is how long ago the job was made.
func (t *turn) Age() time.Duration { return t.age }

// Ack acks early, for strategies that mean to. What strikes after the ack is only logged: the message
// is acked, and nothing takes that back.
func (t *turn) Ack(ctx context.Context) error {
	if err := t.message.Ack(); err != nil {
		return fmt.Errorf("ack: %w", err)
	}
	t.acked = true
	if err := t.worker.Probe.Reach(ctx, step.WorkerAcked); err != nil {
		t.log.WarnContext(ctx, "acked, and then", "error", err)
	}
	return nil
}

// settle decides, once, what becomes of the message.
func (t *turn) settle(ctx context.Context, err error) {
	switch {
	case t.acked:
		t.settled(ctx, step.Detail{How: "ack"}, err)
	case err == nil, errors.Is(err, payments.ErrAlreadyDone):
		t.ack(ctx)
	case ctx.Err() != nil:
		// A shutdown is no failure: un-acked, the message goes back by the broker and costs no retry. Nor is
		// a session that was lost; there the worker lives on, and has this delivery in hand no more.
		t.log.InfoContext(ctx, "left to the broker", "error", err)
		t.worker.Probe.Note(ctx, step.WorkerSettled, step.Detail{How: "returned", Reason: err.Error()})
	case errors.Is(err, payments.ErrHopeless), errors.Is(err, payments.ErrInvalid):
		t.deadLetter(ctx, "hopeless", err)
	default:
		t.retry(ctx, err)
	}
}

func (t *turn) ack(ctx context.Context) {
	if err := t.Ack(ctx); err != nil {
		t.returned(ctx, err)
		return
	}
	t.settled(ctx, step.Detail{How: "ack"}, nil)
}

// retry sends the message round by a retry queue, one retry per delay, and gives up after the last.
func (t *turn) retry(ctx context.Context, cause error) {
	delays, attempt := t.worker.Delays(ctx), t.message.Attempt()
	if attempt > len(delays) {
		t.deadLetter(ctx, "retries-exhausted", cause)
		return
	}
	delay := delays[attempt-1]
	queue, err := t.message.RetryLater(ctx, delay, cause)
	if err != nil {
		t.returned(ctx, err)
		return
	}
	due := time.Now().Add(delay).UTC()
	t.settled(ctx, step.Detail{How: "retry", Queue: queue, DueAt: &due, Reason: cause.Error()}, cause)
}

func (t *turn) deadLetter(ctx context.Context, reason string, cause error) {
	if err := t.message.DeadLetter(ctx, reason, cause); err != nil {
		t.returned(ctx, err)
		return
	}
	t.settled(ctx, step.Detail{How: "dead-letter", Reason: reason}, cause)
}

// returned ends a turn whose settlement failed: the message goes back, perhaps to another worker, and
// this one has it in hand no more.
func (t *turn) returned(ctx context.Context, cause error) {
	t.settled(ctx, step.Detail{How: "returned", Reason: cause.Error()}, cause)
}

// settled ends the turn. It is noted after an early ack too, so that the end of a turn can be seen.
func (t *turn) settled(ctx context.Context, detail step.Detail, cause error) {
	t.worker.Probe.Note(ctx, step.WorkerSettled, detail)
	level := slog.LevelInfo
	if cause != nil {
		level = slog.LevelWarn
	}
	t.log.Log(ctx, level, "settled", "how", detail.How, "strategy", t.job.Strategy, "error", cause)
}
