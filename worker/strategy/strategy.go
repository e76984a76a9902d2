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

// SeenSet remembers what was done. A mark of a key that is marked already gives
// [payments.ErrAlreadyDone].
type SeenSet interface {
	Seen(ctx context.Context, key payments.Key) (bool, error)
	Mark(ctx context.Context, key payments.Key) error
}

// Claims hands out the right to work on a key, for as long as a lease. It gives [payments.ErrHeld]
// while somebody else has it, and [payments.ErrAlreadyDone] once the work is completed.
type Claims interface {
	Claim(ctx context.Context, key payments.Key, lease time.Duration) (payments.Claim, error)
}

// Ledger writes the local effects: status, points and receipt. Each method is one transaction.
type Ledger interface {
	Apply(ctx context.Context, job payments.ChargeJob, outcome payments.Outcome) error
	// ApplyOnce writes the mark with the effects, or neither.
	ApplyOnce(ctx context.Context, key payments.Key, job payments.ChargeJob, outcome payments.Outcome) error
	// Complete writes the effects and ends the claim, or neither where the claim was taken over.
	Complete(ctx context.Context, claim payments.Claim, job payments.ChargeJob, outcome payments.Outcome) error
}

// Tools are what strategies are made of.
type Tools struct {
	Bank   Bank
	Ledger Ledger
	// Seen is the table with a unique constraint, in which ApplyOnce marks too.
	Seen SeenSet
	// Unguarded is a table without the constraint: whoever inserts twice has two rows.
	Unguarded SeenSet
	// Redis forgets: after a time, when it is flushed, when memory is short.
	Redis SeenSet
	// Hybrid asks Redis first and takes Seen for the truth.
	Hybrid SeenSet
	Claims Claims
	// Lease is how long a claim lasts.
	Lease func(context.Context) time.Duration
	// Mint makes a random key.
	Mint func() payments.Key
	// Now is the time of processing.
	Now func() time.Time
}

// Named is a strategy under its id.
type Named struct {
	ID       string
	Strategy Strategy
}

// All makes every strategy, in the order of the lesson. A new one is a file and a line here.
func All(t Tools) []Named {
	return []Named{
		{"naive", Naive{t.Bank, t.Ledger}},
		{"ack-first", AckFirst{t.Bank, t.Ledger}},
		{"mark-first", MarkFirst{t.Seen, t.Bank, t.Ledger}},
		{"check-then-act", CheckThenAct(t)},
		{"seen-set", SeenSetOnly{t.Seen, t.Bank, t.Ledger}},
		{"claim-lease", ClaimLease{t.Claims, t.Lease, t.Bank, t.Ledger}},
		{"transactional", Transactional{t.Seen, t.Bank, t.Ledger}},
		{"key-only", KeyOnly{t.Bank, t.Ledger}},
		{"seen-set-and-key", SeenSetAndKey{MessageID, t.Seen, t.Bank, t.Ledger}},
		{"redis-seen-set", RedisSeenSet(t)},
		{"hybrid", Hybrid(t)},
		{"lookup-first", LookupFirst{t.Bank, t.Ledger}},
		{"payload-key", PayloadKey(t)},
		{"receiver-key", ReceiverKey(t)},
		{"timestamp-key", TimestampKey(t)},
		{"trace-key", TraceKey(t)},
		{"redelivered-only", RedeliveredOnly{t.Seen, t.Bank, t.Ledger}},
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
