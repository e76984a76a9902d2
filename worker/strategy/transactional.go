package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// Transactional looks, charges without a key, and writes mark and effects in one transaction.
//
// Survives: a redelivery after the commit. Status and points are exact: the constraint is in the
// same transaction.
// Breaks the charge: a crash, or a lost answer, between the charge and the commit; two deliveries at
// once.
//
//	look: not seen ── charge 1 ── ✗ crash
//	look: not seen ── charge 2 ── mark + apply ── ack
//	bank:   two charges
//	ledger: one payment, exact in all it knows
//
// A transaction guards what takes part in it. The bank does not.
type Transactional struct {
	Seen   SeenSet
	Bank   Bank
	Ledger Ledger
}

// Handle writes everything of ours at once.
func (s Transactional) Handle(ctx context.Context, d Delivery) error {
	key := MessageID(d.Job())
	if seen, err := s.Seen.Seen(ctx, key); err != nil || seen {
		return err
	}
	outcome, err := s.Bank.Charge(ctx, d.Job(), payments.NoKey)
	if err != nil {
		return err
	}
	return s.Ledger.ApplyOnce(ctx, key, d.Job(), outcome)
}
