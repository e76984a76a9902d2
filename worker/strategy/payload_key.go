package strategy

import (
	"crypto/sha256"
	"fmt"

	"example.com/doublecharge/payments"
)

// PayloadKey is the default with a key that is derived from the payload: customer, items, amount.
//
// Survives: every crash, redelivery and lost answer.
// Breaks the sale: an honest second purchase of the same thing looks like a repetition, and is
// dropped. The customer waits for a coffee that nobody will make.
//
//	order 1: look: not seen ── charge 1, key h ── mark + apply ── ack
//	order 2: look: seen, the same h ── ack
//	bank:   one charge for two orders
//	ledger: order 2 stays pending
func PayloadKey(t Tools) Strategy { return SeenSetAndKey{payloadKey, t.Seen, t.Bank, t.Ledger} }

func payloadKey(job payments.ChargeJob) payments.Key {
	payload := fmt.Sprintln(job.Account, job.Items, job.Amount, job.Currency)
	return payments.Key(fmt.Sprintf("%x", sha256.Sum256([]byte(payload))))
}
