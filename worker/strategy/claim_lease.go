package strategy

import (
	"context"
	"time"

	"example.com/doublecharge/payments"
)

// ClaimLease claims the id for a while, charges, and completes the claim with the effects. Whoever
// finds it claimed tries again later; whoever finds the lease over takes it.
//
// Survives: two deliveries at once, a redelivery after it was completed. Points are exact, since a
// claim that was taken over can complete nothing.
// Breaks the charge: a crash while holding the claim, or a lost answer (it is taken over when the
// lease ends, and charged again); a lease shorter than the work.
//
//	claim ── charge 1 ── ✗ crash
//	held … held … the lease ends ── claim ── charge 2 ── complete ── ack
//	bank:   two charges
//	ledger: one payment
type ClaimLease struct {
	Claims Claims
	Lease  func(context.Context) time.Duration
	Bank   Bank
	Ledger Ledger
}

// Handle works on what nobody else has claimed.
func (s ClaimLease) Handle(ctx context.Context, d Delivery) error {
	claim, err := s.Claims.Claim(ctx, MessageID(d.Job()), s.Lease(ctx))
	if err != nil {
		return err
	}
	outcome, err := s.Bank.Charge(ctx, d.Job(), payments.NoKey)
	if err != nil {
		return err
	}
	return s.Ledger.Complete(ctx, claim, d.Job(), outcome)
}
