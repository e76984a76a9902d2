package explore

import "example.com/doublecharge/payments"

// Bank and Books are the model's, for tests that hold them against the real ones.
type Bank struct{ bank bank }

// NewBank is a bank in which nothing has happened.
func NewBank() *Bank { return &Bank{} }

func (b *Bank) Charge(order int, key payments.Key) (o payments.Outcome, err error) {
	b.bank, o, err = b.bank.charge(order, key)
	return o, err
}

func (b *Bank) Find(order int) (payments.Outcome, bool) { return b.bank.find(order) }
func (b *Bank) Charges(order int) int                   { return b.bank.count(order) }
func (b *Bank) Forget()                                 { b.bank = b.bank.forget() }

type Books struct{ books books }

// NewBooks are books with two orders that nobody paid.
func NewBooks() *Books { return &Books{newState(budget{}, 1).books} }

func (b *Books) Seen(unguarded bool, key payments.Key) bool {
	return b.books.seen(set(unguarded), key)
}

func (b *Books) Mark(unguarded bool, key payments.Key) error {
	return b.books.markIn(set(unguarded), key)
}

func set(unguarded bool) where {
	if unguarded {
		return inUnguarded
	}
	return inSeen
}

func (b *Books) Apply(order int, o payments.Outcome) { b.books.apply(order, o) }

func (b *Books) ApplyOnce(key payments.Key, order int, o payments.Outcome) error {
	return b.books.applyOnce(key, order, o)
}

func (b *Books) Claim(key payments.Key) (payments.Claim, error) { return b.books.claim(key, 0) }

func (b *Books) Complete(c payments.Claim, order int, o payments.Outcome) error {
	return b.books.complete(c, order, o)
}

func (b *Books) EndLeases()     { b.books.leave(0) }
func (b *Books) Park(order int) { b.books.park(order) }

func (b *Books) Order(order int) Outcome {
	e := b.books.orders[order]
	return Outcome{Status: e.status, Points: int(e.points), Receipts: int(e.receipts)}
}

func (b *Books) ChargeID(order int) string { return b.books.orders[order].charge }
