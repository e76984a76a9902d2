package lane

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

const (
	// quietWait bounds how long a run may take to come to rest.
	quietWait = 30 * time.Second
	// leaseMS is far shorter than the retries together, so that an abandoned claim is always taken over.
	leaseMS = 500
)

// retryMS are the retries of a lane: short, because somebody is waiting for the verdict.
func retryMS() []int64 { return []int64{100, 300, 1000} }

func delays() []time.Duration {
	list := make([]time.Duration, 0, len(retryMS()))
	for _, ms := range retryMS() {
		list = append(list, time.Duration(ms)*time.Millisecond)
	}
	return list
}

// Play runs one experiment from a clean table to its verdict. An error means that the experiment itself
// went wrong; what it found out is in the run.
func (l *Lane) Play(ctx context.Context, id string, spec step.RunSpec) (lab.Run, error) {
	run := l.Lab.NewRun(id, spec)
	if err := l.prepare(ctx, spec); err != nil {
		return run, fmt.Errorf("prepare the run: %w", err)
	}
	l.dirty = true
	quiet, err := l.perform(ctx, &run)
	if err != nil {
		run.State = lab.Stopped
		return run, err
	}
	l.dirty = !quiet
	return run, l.Lab.Conclude(ctx, &run, quiet)
}

// prepare clears the table and sets it up.
func (l *Lane) prepare(ctx context.Context, spec step.RunSpec) error {
	if err := l.clear(ctx); err != nil {
		return err
	}
	change := withDefaults(spec)
	l.roles["worker"].Scale(*change.Workers)
	if _, err := l.Lab.Setup(ctx, change, append([]step.Fault{}, spec.Faults...)); err != nil {
		return err
	}
	return l.awaitReady(ctx)
}

// withDefaults sets every setting, so that a run takes none over from the last one.
func withDefaults(spec step.RunSpec) step.Change {
	d := step.DefaultSettings()
	d.Workers, d.RetryMS, d.LeaseMS = Workers, retryMS(), leaseMS
	asked := spec.Settings
	change := step.Change{
		Strategy: &spec.Strategy, Checkout: &d.Checkout, Enqueue: &d.Enqueue, Workers: &d.Workers,
		SlowMS: &d.SlowMS, Step: &d.Step, RetryMS: &d.RetryMS, LeaseMS: &d.LeaseMS,
	}
	override(&change.Checkout, asked.Checkout)
	override(&change.Enqueue, asked.Enqueue)
	override(&change.Workers, asked.Workers)
	override(&change.SlowMS, asked.SlowMS)
	override(&change.Step, asked.Step)
	override(&change.RetryMS, asked.RetryMS)
	override(&change.LeaseMS, asked.LeaseMS)
	return change
}

func override[T any](setting **T, asked *T) {
	if asked != nil {
		*setting = asked
	}
}

// clear wipes the table. After a run that came to rest nothing is on its way, and wiping is enough;
// after any other the queues are emptied around new workers, who have nothing in hand.
func (l *Lane) clear(ctx context.Context) error {
	if l.dirty {
		if err := l.sweep(ctx); err != nil {
			return err
		}
	}
	err := errors.Join(l.Lab.Emulator.Reset(ctx), l.Lab.Store.FinishReset(ctx))
	if l.Lab.Redis != nil {
		err = errors.Join(err, l.Lab.Redis.Flush(ctx))
	}
	return err
}

func (l *Lane) sweep(ctx context.Context) error {
	retries, err := l.Lab.Store.RetryQueues(ctx)
	if err != nil {
		return err
	}
	for _, do := range []func() error{
		func() error { return l.Lab.Store.BeginReset(ctx) },
		func() error { return l.Lab.Queues.Purge(ctx, retries) },
		func() error { return l.roles["worker"].Replace(ctx) },
		func() error { return l.Lab.Queues.Purge(ctx, retries) },
	} {
		if err := do(); err != nil {
			return fmt.Errorf("sweep the lane: %w", err)
		}
	}
	return nil
}

// perform buys, reacts, and waits for quiet.
func (l *Lane) perform(ctx context.Context, run *lab.Run) (quiet bool, err error) {
	run.OrderIDs, err = l.buy(ctx, run.ID, max(1, run.Orders))
	if err != nil {
		return false, err
	}
	for i, reaction := range run.Then {
		if err := l.react(ctx, reaction, run.OrderIDs); err != nil {
			return false, fmt.Errorf("reaction %d, %s on %s: %w", i+1, reaction.Do, reaction.On, err)
		}
	}
	return l.quiet(ctx)
}

func (l *Lane) quiet(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, quietWait)
	defer cancel()
	return l.Lab.Wait(ctx)
}

// errNotYet says that what a reaction waits for has not come about in time.
var errNotYet = fmt.Errorf("%w: it has not come about in time", payments.ErrUnavailable)
