package strategy

import (
	"context"
	"time"

	"example.com/doublecharge/payments"
)

// The bank may forget a key once it is 24 hours old, and then the same key charges again. An hour
// before that, a job is looked up first; the deadline of a delivery is far shorter than the hour.
const (
	keyMemory   = 24 * time.Hour
	keyTooOldAt = keyMemory - time.Hour
)

// SeenSetAndKey looks, charges with the message id as the bank's idempotency key, and writes the mark
// and all local effects in one transaction. It is the default.
//
// Survives: everything, while a delivery is handled within its deadline. Charge, status and points
// happen once; the receipt is sent at least once.
// Breaks: nothing. When the bank cannot say, the job is parked for a person, never charged blindly.
//
//	look: not seen ── charge 1, key m ── ✗ crash
//	look: not seen ── replayed, same key m ── mark + apply ── ack
//	bank:   one charge
//	ledger: one payment
//
// The seen-set spares the bank and guards our own increments; the key guards the charge, which no
// transaction of ours can reach.
type SeenSetAndKey struct {
	Key    func(payments.ChargeJob) payments.Key
	Seen   SeenSet
	Bank   Bank
	Ledger Ledger
}

// Handle does each effect once.
func (s SeenSetAndKey) Handle(ctx context.Context, d Delivery) error {
	key := s.Key(d.Job())
	if seen, err := s.Seen.Seen(ctx, key); err != nil || seen {
		return err
	}
	outcome, err := s.charge(ctx, d, key)
	if err != nil {
		return err
	}
	return s.Ledger.ApplyOnce(ctx, key, d.Job(), outcome)
}

// charge asks the bank first when the job is so old that the bank may have forgotten the key.
func (s SeenSetAndKey) charge(ctx context.Context, d Delivery, key payments.Key) (payments.Outcome, error) {
	if d.Age() >= keyTooOldAt {
		if outcome, found, err := s.Bank.Find(ctx, d.Job()); err != nil || found {
			return outcome, err
		}
	}
	return s.Bank.Charge(ctx, d.Job(), key)
}

// MessageID is the right key: minted by the producer with the attempt, and kept on every redelivery,
// retry and republish.
func MessageID(job payments.ChargeJob) payments.Key { return payments.Key(job.MessageID) }
