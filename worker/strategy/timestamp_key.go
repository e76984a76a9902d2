package strategy

import (
	"fmt"

	"example.com/doublecharge/payments"
)

// TimestampKey is the default with customer and second of processing for a key.
//
// Survives: a crash before the charge, and what repeats within the same second.
// Breaks the charge and the points: a redelivery a second later has another key.
// Breaks the sale: two purchases of one customer in one second have the same.
//
//	21:04:07 deliver ─────── charge 1, key ayse-07 ── ✗ crash
//	21:04:08 deliver again ─ charge 2, key ayse-08 ── mark + apply ── ack
//	bank:   two charges
//	ledger: one payment
func TimestampKey(t Tools) Strategy {
	stamp := func(job payments.ChargeJob) payments.Key {
		return payments.Key(fmt.Sprintf("%s-%d", job.Account, t.Now().Unix()))
	}
	return SeenSetAndKey{stamp, t.Seen, t.Bank, t.Ledger}
}
