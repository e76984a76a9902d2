package lane

import (
	"context"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments/step"
)

// recoveryWait bounds how long everything may take to come to rest after a server was restarted.
const recoveryWait = 90 * time.Second

// PlayTogether buys once with each strategy, lets something happen while all of it is on its way (two
// deliveries held after the charge, the others in the queue), and gives the run of each order.
func (l *Lane) PlayTogether(
	ctx context.Context, id string, strategies []string, meanwhile func(context.Context) error,
) ([]lab.Run, error) {
	held := step.Fault{
		Point: step.WorkerCharged, Action: step.Hold, Times: Workers, DurationMS: recoveryWait.Milliseconds(),
	}
	spec := step.RunSpec{Strategy: strategies[0], Orders: 1, Faults: []step.Fault{held}}
	if err := l.prepare(ctx, spec); err != nil {
		return nil, fmt.Errorf("prepare the run: %w", err)
	}
	l.dirty = true
	runs, err := l.buyWithEach(ctx, id, strategies, spec)
	if err != nil {
		return nil, err
	}
	if err := l.awaitWaiting(ctx, Workers); err != nil {
		return nil, err
	}
	if err := meanwhile(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, recoveryWait)
	defer cancel()
	// Whoever is still held goes on. Connections that were open before the restart are good for nothing.
	_, err = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, l.Lab.Disarm(ctx) },
		backoff.WithMaxElapsedTime(recoveryWait))
	if err != nil {
		return nil, err
	}
	quiet, err := l.Lab.Wait(ctx)
	if err == nil && !quiet {
		err = errNotYet
	}
	if err != nil {
		return nil, fmt.Errorf("come to rest: %w", err)
	}
	l.dirty = false
	for i := range runs {
		if err := l.Lab.Conclude(ctx, &runs[i], quiet); err != nil {
			return nil, err
		}
		runs[i].OwnEvents()
	}
	return runs, nil
}

// buyWithEach buys once with each strategy: it is taken into the attempt at checkout.
func (l *Lane) buyWithEach(
	ctx context.Context, id string, strategies []string, spec step.RunSpec,
) ([]lab.Run, error) {
	runs := make([]lab.Run, len(strategies))
	for i, strategy := range strategies {
		if _, err := l.Lab.Change(ctx, step.Change{Strategy: &strategy}); err != nil {
			return nil, err
		}
		spec.Strategy = strategy
		runs[i] = l.Lab.NewRun(fmt.Sprintf("%s-%d", id, i), spec)
		order, err := l.checkout(ctx, runs[i].ID)
		if err != nil {
			return nil, fmt.Errorf("buy: %w", err)
		}
		runs[i].OrderIDs = []string{order}
	}
	return runs, nil
}
