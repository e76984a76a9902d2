package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// Naive charges, writes down, and lets the loop ack.
//
// Survives: a crash before the charge.
// Breaks the charge and the points: any redelivery after the charge charges again and adds again.
//
//	deliver ─────── charge 1 ── ✗ crash, no ack
//	deliver again ─ charge 2 ── apply ── ack
//	bank:   two charges
//	ledger: one payment
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
