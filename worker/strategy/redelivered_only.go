package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// RedeliveredOnly looks in the seen-set only when the broker says "redelivered".
//
// Survives: a redelivery by the broker after the mark.
// Breaks the charge and the points: where the seen-set does; and every duplicate that the broker
// does not mark: a second publish, and a retry, which is a fresh message.
//
//	publish ─ redelivered: no ── charge 1 ── apply ── mark ── ack
//	publish again ─ redelivered: no ── charge 2 ── apply ── marked already
//	bank:   two charges
//	ledger: points twice
//
// The flag is a hint. True means "perhaps not the first"; false proves nothing.
type RedeliveredOnly struct {
	Seen   SeenSet
	Bank   Bank
	Ledger Ledger
}

// Handle believes the flag.
func (s RedeliveredOnly) Handle(ctx context.Context, d Delivery) error {
	key := MessageID(d.Job())
	if d.Redelivered() {
		if seen, err := s.Seen.Seen(ctx, key); err != nil || seen {
			return err
		}
	}
	outcome, err := s.Bank.Charge(ctx, d.Job(), payments.NoKey)
	if err != nil {
		return err
	}
	if err := s.Ledger.Apply(ctx, d.Job(), outcome); err != nil {
		return err
	}
	return s.Seen.Mark(ctx, key)
}
