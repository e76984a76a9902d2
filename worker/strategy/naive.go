package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// Naive charges, writes down, and lets the loop ack. It survives a crash before the charge. Any
// redelivery after the charge charges again, and adds the points again.
//
//	deliver ── charge ── ✗ crash
//	deliver again ── charge ── apply ── ack
//
// It looks protected: the Stripe library adds an Idempotency-Key to every call that has none. But it
// is a new random key for each call, so the second delivery's call is a new payment to the bank.
type Naive struct {
	Bank   Bank
	Ledger Ledger
}

// Handle charges whatever it is given.
func (s Naive) Handle(ctx context.Context, d Delivery) error {
	outcome, err := s.Bank.Charge(ctx, d.Job(), payments.NoKey)
	if err != nil {
		return err
	}
	return s.Ledger.Apply(ctx, d.Job(), outcome)
}
