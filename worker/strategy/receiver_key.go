package strategy

import "example.com/doublecharge/payments"

// ReceiverKey is the default with a key that the receiver mints when a delivery arrives.
//
// Survives: a crash before the charge.
// Breaks the charge and the points: any redelivery after the charge comes with a new key, which
// neither the seen-set nor the bank has ever met.
//
//	deliver ─────── mint k1 ── charge 1, key k1 ── ✗ crash
//	deliver again ─ mint k2 ── charge 2, key k2 ── mark k2 + apply ── ack
//	bank:   two charges
//	ledger: one payment
//
// An idempotency key names the intention, so only the sender can mint it.
func ReceiverKey(t Tools) Strategy {
	mint := func(payments.ChargeJob) payments.Key { return t.Mint() }
	return SeenSetAndKey{mint, t.Seen, t.Bank, t.Ledger}
}
