// Package strategy holds one way of handling a charge job per file. A strategy is nothing but the
// lesson: it touches the world only through the interfaces below, which emit the steps, so it holds no
// drivers, no clocks, no goroutines, and never recovers.
package strategy

import (
	"context"
	"time"

	"example.com/doublecharge/payments"
)

// Strategy handles one delivery. Nil and [payments.ErrAlreadyDone] mean that the delivery is done;
// after any other error the message is retried later, with the same id.
type Strategy interface {
	Handle(ctx context.Context, d Delivery) error
}

// Delivery is the message in hand.
type Delivery interface {
	Job() payments.ChargeJob
	// Redelivered is the broker's hint, which proves nothing when it is false.
	Redelivered() bool
	// Age is how long ago the job was made, by the lab's clock.
	Age() time.Duration
	// Ack tells the broker early; the loop then settles nothing.
	Ack(ctx context.Context) error
}

// Bank charges cards. An error means unknown; a decline is an outcome.
type Bank interface {
	Charge(ctx context.Context, job payments.ChargeJob, key payments.Key) (payments.Outcome, error)
	// Find looks a job up among the bank's payments, by our own ids.
	Find(ctx context.Context, job payments.ChargeJob) (outcome payments.Outcome, found bool, err error)
}

// SeenSet remembers what was done.
type SeenSet interface {
	Seen(ctx context.Context, key payments.Key) (bool, error)
	Mark(ctx context.Context, key payments.Key) error
}

// Ledger writes the local effects: status, points and receipt. Each method is one transaction.
type Ledger interface {
	Apply(ctx context.Context, job payments.ChargeJob, outcome payments.Outcome) error
	// ApplyOnce writes the mark with the effects, or neither.
	ApplyOnce(ctx context.Context, key payments.Key, job payments.ChargeJob, outcome payments.Outcome) error
}

// Tools are what strategies are made of.
type Tools struct {
	Bank   Bank
	Seen   SeenSet
	Ledger Ledger
}

// Named is a strategy under its id.
type Named struct {
	ID       string
	Strategy Strategy
}

// All makes every strategy, in the order of the lesson.
func All(t Tools) []Named {
	return []Named{
		{"naive", Naive{t.Bank, t.Ledger}},
		{"seen-set", SeenSetOnly{t.Seen, t.Bank, t.Ledger}},
		{"seen-set-and-key", SeenSetAndKey{t.Seen, t.Bank, t.Ledger}},
	}
}

// IDs lists the ids in the order of the lesson.
func IDs() []string {
	var ids []string
	for _, named := range All(Tools{}) {
		ids = append(ids, named.ID)
	}
	return ids
}
