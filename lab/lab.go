// Package lab is what makes the double charge an experiment: it arms faults, waits until all is quiet,
// asks the bank, and judges. Everything it knows about a run comes from the bank, the broker and the
// database; nothing is kept in memory, so a crash of the api ends no experiment.
package lab

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
)

// Bank shows the bank's statement.
type Bank interface {
	Charges(ctx context.Context, since time.Time) ([]payments.BankLine, error)
}

// Lab is the lab's controls and its judgement.
type Lab struct {
	Store  *postgres.Store
	Queues *rabbit.Inspector
	Bank   Bank
	// Emulator is nil when the bank is Stripe's test mode.
	Emulator *Emulator
	// Redis is nil where there is none.
	Redis Flusher
	// Base is the bank's address; "" is Stripe's own.
	Base    string
	Version string
	// Servers are the addresses of the servers that the demo started itself.
	Servers step.Servers
	// Describe describes the strategies, for those who choose one.
	Describe func() ([]step.StrategyInfo, error)
	// Lessons shows the scenarios, and Begin how the run of one begins; nil where nobody plays them.
	Lessons func() (any, error)
	Begin   func(name, id, commit string) (document any, err error)
	// Plan says how many cells a matrix has; nil where nobody works on jobs.
	Plan func(step.MatrixSpec) (cells int, err error)
	Log  *slog.Logger

	resetting atomic.Bool
}

// State is what the lab shows of itself.
func (l *Lab) State(ctx context.Context) (step.State, error) {
	state := step.State{Version: l.Version, Servers: l.Servers, Stripe: l.stripe()}
	var err error
	if state.Settings, err = l.Store.Settings(ctx); err != nil {
		return state, err
	}
	if state.Faults, err = l.Store.Armed(ctx); err != nil {
		return state, err
	}
	if state.Waiting, err = l.Store.Waiting(ctx); err != nil {
		return state, err
	}
	if state.Processes, err = l.Store.Processes(ctx); err != nil {
		return state, err
	}
	if state.Queues, err = l.queues(ctx); err != nil {
		return state, err
	}
	state.Quiet, err = l.quietNow(ctx)
	return state, err
}

// Strategies describes every strategy, in the order of the lesson.
func (l *Lab) Strategies() ([]step.StrategyInfo, error) { return l.Describe() }

func (l *Lab) stripe() step.Stripe {
	if l.Emulator == nil {
		return step.Stripe{Mode: "test", Base: cmp.Or(l.Base, "https://api.stripe.com")}
	}
	return step.Stripe{Mode: "emulator", Base: l.Base}
}

func (l *Lab) queues(ctx context.Context) ([]step.Queue, error) {
	counts, err := l.counts(ctx)
	if err != nil {
		return nil, err
	}
	activity, err := l.Store.Activity(ctx)
	if err != nil {
		return nil, err
	}
	queues := make([]step.Queue, len(counts))
	for i, count := range counts {
		queues[i] = step.Queue{Name: count.Queue, Ready: count.Ready}
		if count.Queue == l.Queues.Topology.Jobs() {
			queues[i].Unacked = activity.InHand
		}
	}
	return queues, nil
}

func (l *Lab) counts(ctx context.Context) ([]rabbit.Count, error) {
	retries, err := l.Store.RetryQueues(ctx)
	if err != nil {
		return nil, err
	}
	return l.Queues.Counts(ctx, retries)
}

// Release lets the longest waiting process go on, or the given instance.
func (l *Lab) Release(ctx context.Context, instance int64) error {
	released, err := l.Store.Release(ctx, instance)
	if err == nil && !released {
		return fmt.Errorf("%w: nobody waits", payments.ErrConflict)
	}
	return err
}

// Events reads the trace after an id, of one order or, for "", all of it.
func (l *Lab) Events(ctx context.Context, after int64, orderID string) ([]step.Event, error) {
	const page = 500
	return l.Store.Events(ctx, after, orderID, page)
}

// Mailbox lists the letters that arrived.
func (l *Lab) Mailbox(ctx context.Context, orderID string) ([]payments.Letter, error) {
	return l.Store.Mailbox(ctx, orderID)
}

// DeadLetters lists the messages that nobody tries again.
func (l *Lab) DeadLetters(ctx context.Context) ([]payments.DeadLetter, error) {
	return l.Store.DeadLetters(ctx)
}

// redriveLimit is how old a payment may be to be sent back. Stripe keeps a key for at least 24 hours and may forget
// it then; the hour is for the way there.
const redriveLimit = 23 * time.Hour

// Redrive sends dead letters back to the queue, with the same message ids, and tells what became of each. With dry
// it only tells.
func (l *Lab) Redrive(ctx context.Context, dry bool) ([]payments.Redriven, error) {
	return l.Store.Redrive(ctx, redriveLimit, dry)
}

// Redeliver sends the same message, with the same id, again.
func (l *Lab) Redeliver(ctx context.Context, orderID, messageID string, times int) error {
	if times < 1 || times > 100 {
		return payments.InvalidField("times", "must be 1 to 100")
	}
	return l.Store.Redeliver(ctx, orderID, messageID, times)
}

// Advance moves the bank's time and the worker's view of a job's age, and nothing else.
func (l *Lab) Advance(ctx context.Context, d time.Duration) (step.Clock, error) {
	if l.Emulator == nil {
		return step.Clock{}, fmt.Errorf("%w: the clock of Stripe's test mode cannot be moved", payments.ErrConflict)
	}
	if d <= 0 || d > 365*24*time.Hour {
		return step.Clock{}, payments.InvalidField("advance", "must be a duration over 0 and up to 8760h")
	}
	// Our own view first: a job that looks older than it is costs a look-up; one that looks younger
	// could be charged under a key that the bank forgot.
	ahead, err := l.Store.Advance(ctx, d)
	if err != nil {
		return step.Clock{}, err
	}
	clock := step.Clock{Offset: ahead.String(), Now: time.Now().Add(ahead).UTC()}
	return clock, l.Emulator.Advance(ctx, d)
}
