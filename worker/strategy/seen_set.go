package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// SeenSetOnly asks whether this id was done, charges if not, and then writes it down. It survives a
// redelivery after the mark. A crash, or a lost answer, between the charge and the mark charges twice:
// the mark is ours and the charge is the bank's, and no transaction spans the two.
//
//	look: not seen ── charge ── ✗ crash
//	look: not seen ── charge ── apply ── mark ── ack
//
// The ledger shows one payment and looks clean; the bank shows two. Two deliveries at once charge
// twice too, since both look before either marks, and the unique constraint comes after both charges.
// A crash between the effects and the mark repeats the points as well.
type SeenSetOnly struct {
	Seen   SeenSet
	Bank   Bank
	Ledger Ledger
}

// Handle does nothing for an id that is marked.
func (s SeenSetOnly) Handle(ctx context.Context, d Delivery) error {
	key := payments.Key(d.Job().MessageID)
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
