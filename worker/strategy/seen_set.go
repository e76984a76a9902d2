package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// SeenSetOnly asks whether this id was done, charges if not, and then writes it down.
//
// Survives: a redelivery after the mark.
// Breaks the charge: a crash, or a lost answer, between the charge and the mark; two deliveries at
// once, since both look before either marks, and the constraint comes after both charges.
// Breaks the points: a crash between the effects and the mark; two deliveries at once.
//
//	look: not seen ── charge 1 ── ✗ crash
//	look: not seen ── charge 2 ── apply ── mark ── ack
//	bank:   two charges
//	ledger: one payment, and it looks clean
//
// The mark is ours and the charge is the bank's, and no transaction spans the two.
type SeenSetOnly struct {
	Seen   SeenSet
	Bank   Bank
	Ledger Ledger
}

// Handle does nothing for an id that is marked.
func (s SeenSetOnly) Handle(ctx context.Context, d Delivery) error {
	key := MessageID(d.Job())
	if seen, err := s.Seen.Seen(ctx, key); err != nil || seen {
		return err
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
