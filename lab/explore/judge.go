package explore

import (
	"example.com/doublecharge/payments"
)

// Outcome is what a schedule leaves of one order.
type Outcome struct {
	Charges  int                  `json:"charges"`
	Status   payments.OrderStatus `json:"status"`
	Points   int                  `json:"points"` // how many times they were added
	Receipts int                  `json:"receipts"`
}

// outcomes are those of every order that was bought.
func (s state) outcomes() []Outcome {
	list := make([]Outcome, s.orders)
	for order := range list {
		e := s.books.orders[order]
		list[order] = Outcome{s.bank.count(order), e.status, int(e.points), int(e.receipts)}
	}
	return list
}

// broken lists the properties that do not hold.
func (s state) broken() []Property {
	var broken []Property
	add := func(p Property, holds bool) {
		if !holds {
			broken = append(broken, p)
		}
	}
	all := s.outcomes()
	for _, o := range all {
		add(Charge, o.Charges <= 1)
		if !s.quiet() {
			continue
		}
		parked := o.Status == payments.OrderNeedsAttention
		switch {
		case parked: // A person looks, and no book claims anything.
		case o.Charges == 0 && o.Status == payments.OrderPending:
			add(lossAmong(all), false)
		case o.Charges == 0:
			add(Status, false)
		default:
			add(Status, o.Status == payments.OrderPaid)
			add(Points, o.Points == 1)
			add(Receipt, o.Receipts == 1)
		}
	}
	return broken
}

// lossAmong names a loss: an order that went missing beside one that was charged was taken for it.
func lossAmong(orders []Outcome) Property {
	for _, o := range orders {
		if len(orders) > 1 && o.Charges > 0 {
			return SaleLost
		}
	}
	return Lost
}
