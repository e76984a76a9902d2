package explore

import (
	"fmt"
	"slices"

	"example.com/doublecharge/payments"
)

// bank is the third party: it charges every call that it does not know by its key.
type bank struct {
	charges []int // the order of each charge, oldest first
	keys    []kept
}

// kept is the answer that the bank keeps under a key.
type kept struct {
	key    payments.Key
	order  int
	charge int // from 1
}

// charge gives the outcome, and an error where the key was sent before with other parameters, as it is
// when the same key comes with another order.
func (b bank) charge(order int, key payments.Key) (bank, payments.Outcome, error) {
	for _, k := range b.keys {
		if k.key != key {
			continue
		}
		if k.order != order {
			return b, payments.Outcome{}, fmt.Errorf("%w: idempotency_error", payments.ErrHopeless)
		}
		return b, chargeID(k.charge), nil
	}
	b.charges = append(slices.Clip(b.charges), order)
	if key != payments.NoKey {
		b.keys = append(slices.Clip(b.keys), kept{key, order, len(b.charges)})
	}
	return b, chargeID(len(b.charges)), nil
}

// find looks the order's charge up, the latest first, as the bank lists them.
func (b bank) find(order int) (payments.Outcome, bool) {
	for i, v := range slices.Backward(b.charges) {
		if v == order {
			return chargeID(i + 1), true
		}
	}
	return payments.Outcome{}, false
}

// forget drops all keys. The charges stay.
func (b bank) forget() bank {
	b.keys = nil
	return b
}

// count is how often an order was charged.
func (b bank) count(order int) int {
	n := 0
	for _, charged := range b.charges {
		if charged == order {
			n++
		}
	}
	return n
}

func chargeID(n int) payments.Outcome { return payments.Outcome{ChargeID: fmt.Sprintf("ch_%d", n)} }
