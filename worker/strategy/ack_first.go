package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// AckFirst tells the broker that the job is done, and then does it: at most once.
//
// Survives: any redelivery, because there is none after the ack.
// Breaks the charge: a crash or an error after the ack loses it, and nobody will try again.
// Breaks status, points and receipt: a crash after the charge takes money the ledger never hears of.
//
//	deliver ── ack ── charge 1 ── ✗ crash
//	nothing is delivered again
//	bank:   one charge
//	ledger: still pending
//
// A duplicate that was published is another message to the broker, and charges again.
type AckFirst struct {
	Bank   Bank
	Ledger Ledger
}

// Handle gives away the second chance before it takes the first.
func (s AckFirst) Handle(ctx context.Context, d Delivery) error {
	if err := d.Ack(ctx); err != nil {
		return err
	}
	outcome, err := s.Bank.Charge(ctx, d.Job(), payments.NoKey)
	if err != nil {
		return err
	}
	return s.Ledger.Apply(ctx, d.Job(), outcome)
}
