package explore

import (
	"slices"

	"example.com/doublecharge/payments"
)

// books are our own tables. Each method is one transaction, so blocking need not be modelled.
type books struct {
	marks  []payments.Key // seen_set, with its unique constraint
	rows   []payments.Key // seen_list, without
	redis  []payments.Key
	claims []claim
	orders [2]effects
}

// claim is a row of the table claims. The holder is a worker, or nobody: then its lease is over.
type claim struct {
	key    payments.Key
	fence  int64
	done   bool
	holder int8
}

const nobody = int8(-1)

// effects are what the books have of one order.
type effects struct {
	status           payments.OrderStatus
	points, receipts int8
	charge           string
}

func with(keys []payments.Key, key payments.Key) []payments.Key {
	return append(slices.Clip(keys), key)
}

// mark marks in the table with the constraint.
func (b *books) mark(key payments.Key) error {
	if slices.Contains(b.marks, key) {
		return payments.ErrAlreadyDone
	}
	b.marks = with(b.marks, key)
	return nil
}

// apply writes the effects: the status from the expected state, the points always, one receipt, the
// first charge.
func (b *books) apply(order int, outcome payments.Outcome) {
	e := &b.orders[order]
	e.points++
	e.receipts = 1
	if e.status != payments.OrderPaid {
		e.status, e.charge = payments.OrderPaid, outcome.ChargeID
	}
}

// applyOnce marks and applies, or neither.
func (b *books) applyOnce(key payments.Key, order int, outcome payments.Outcome) error {
	if err := b.mark(key); err != nil {
		return err
	}
	b.apply(order, outcome)
	return nil
}

// claim takes a key that is new, or whose lease is over.
func (b *books) claim(key payments.Key, worker int8) (payments.Claim, error) {
	b.claims = slices.Clone(b.claims)
	i := slices.IndexFunc(b.claims, func(c claim) bool { return c.key == key })
	if i < 0 {
		b.claims = append(b.claims, claim{key: key, holder: nobody})
		i = len(b.claims) - 1
	}
	c := &b.claims[i]
	switch {
	case c.done:
		return payments.Claim{}, payments.ErrAlreadyDone
	case c.holder != nobody:
		return payments.Claim{}, payments.ErrHeld
	}
	c.fence++
	c.holder = worker
	return payments.Claim{Key: key, Fence: c.fence}, nil
}

// complete ends a claim that was not taken over, and applies.
func (b *books) complete(taken payments.Claim, order int, outcome payments.Outcome) error {
	b.claims = slices.Clone(b.claims)
	for i := range b.claims {
		c := &b.claims[i]
		switch {
		case c.key != taken.Key:
			continue
		case c.done:
			return payments.ErrAlreadyDone
		case c.fence != taken.Fence:
			return payments.ErrHeld
		}
		c.done = true
		b.apply(order, outcome)
		return nil
	}
	return payments.ErrHeld
}

// leave ends the leases of a worker that works no more under them.
func (b *books) leave(worker int8) {
	b.claims = slices.Clone(b.claims)
	for i := range b.claims {
		if b.claims[i].holder == worker {
			b.claims[i].holder = nobody
		}
	}
}

// park says of an order that nobody could decide that a person must look.
func (b *books) park(order int) {
	if e := &b.orders[order]; e.status == payments.OrderPending {
		e.status = payments.OrderNeedsAttention
	}
}
