package strategy

import "context"

// KeyOnly sends the message id to the bank as its idempotency key, and remembers nothing here.
//
// Survives: a crash before the effects, a lost answer, two deliveries at once: the bank answers the
// second call from its memory and takes no money.
// Breaks the charge: a redelivery after the bank forgot the key, which it may after 24 hours.
// Breaks the points: any redelivery after the effects adds them again, for our own increments have
// no key.
//
//	charge 1, key m ────── apply ── ✗ crash
//	replayed, same key m ─ apply ── ack
//	bank:   one charge
//	ledger: points twice
type KeyOnly struct {
	Bank   Bank
	Ledger Ledger
}

// Handle trusts the bank's memory.
func (s KeyOnly) Handle(ctx context.Context, d Delivery) error {
	outcome, err := s.Bank.Charge(ctx, d.Job(), MessageID(d.Job()))
	if err != nil {
		return err
	}
	return s.Ledger.Apply(ctx, d.Job(), outcome)
}
