package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// LookupFirst asks the bank whether it has charged this job, charges without a key if not, and writes
// mark and effects in one transaction.
//
// Survives: a crash anywhere, a lost answer, a forgotten key: the bank's own books are asked. Points
// are exact.
// Breaks the charge: two deliveries at once, since both ask before either charges.
//
//	worker 1: ask the bank: no ── charge 1 ── mark + apply
//	worker 2: ask the bank: no ── charge 2 ── marked already ── ack
//	bank:   two charges
//	ledger: one payment
type LookupFirst struct {
	Bank   Bank
	Ledger Ledger
}

// Handle asks first, every time.
func (s LookupFirst) Handle(ctx context.Context, d Delivery) error {
	outcome, found, err := s.Bank.Find(ctx, d.Job())
	if err == nil && !found {
		outcome, err = s.Bank.Charge(ctx, d.Job(), payments.NoKey)
	}
	if err != nil {
		return err
	}
	return s.Ledger.ApplyOnce(ctx, MessageID(d.Job()), d.Job(), outcome)
}
