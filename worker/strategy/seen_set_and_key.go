package strategy

import (
	"context"
	"time"

	"example.com/doublecharge/payments"
)

// The bank may forget a key once it is 24 hours old, and then the same key charges again. An hour
// before that, a job is looked up first.
const (
	keyMemory   = 24 * time.Hour
	keyTooOldAt = keyMemory - time.Hour
)

// SeenSetAndKey looks, charges with the message id as the bank's idempotency key, and writes the mark
// and all local effects in one transaction. The charge, the status and the points happen once, however
// often the message comes and wherever the worker dies; the receipt is sent at least once.
//
//	look: not seen ── charge, key = message id ── ✗ crash
//	look: not seen ── charge, same key: the bank replays its stored answer ── mark + apply ── ack
//
// The seen-set spares the bank and guards our own increments; the key guards the charge, which no
// transaction of ours can reach. Nothing breaks it while a delivery is handled within its deadline.
type SeenSetAndKey struct {
	Seen   SeenSet
	Bank   Bank
	Ledger Ledger
}

// Handle does each effect once.
func (s SeenSetAndKey) Handle(ctx context.Context, d Delivery) error {
	key := payments.Key(d.Job().MessageID)
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
