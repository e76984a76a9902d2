package strategy

import (
	"context"

	"example.com/doublecharge/payments"
)

// MarkFirst marks the id, and only then charges: "seen" means started here, not done.
//
// Survives: every redelivery and every duplicate, since the mark's constraint lets one pass.
// Breaks the charge: a crash or an error after the mark loses it, because the next delivery is
// taken for done.
// Breaks status, points and receipt: a crash after the charge takes money without a ledger.
//
//	deliver ─────── mark ── ✗ crash
//	deliver again ─ marked already ── ack
//	bank:   nothing
//	ledger: still pending
type MarkFirst struct {
	Seen   SeenSet
	Bank   Bank
	Ledger Ledger
}

// Handle does nothing for an id that somebody began with.
func (s MarkFirst) Handle(ctx context.Context, d Delivery) error {
	if err := s.Seen.Mark(ctx, MessageID(d.Job())); err != nil {
		return err
	}
	outcome, err := s.Bank.Charge(ctx, d.Job(), payments.NoKey)
	if err != nil {
		return err
	}
	return s.Ledger.Apply(ctx, d.Job(), outcome)
}
