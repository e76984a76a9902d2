package explore

import (
	"slices"
	"strings"

	"example.com/doublecharge/payments"
)

// name is the state in bytes: equal states have equal names, and others have other ones. Workers are
// interchangeable, so theirs are sorted.
func (s state) name() string {
	n := &namer{}
	n.bank(s.bank)
	n.books(s.books)
	n.small(int8(len(s.queue)))
	for _, m := range s.queue {
		n.name = append(n.name, m.name()...)
	}
	workers := make([]string, len(s.workers))
	for i, w := range s.workers {
		workers[i] = w.name() + s.books.heldBy(int8(i))
	}
	slices.Sort(workers)
	n.name = append(n.name, strings.Join(workers, "|")...)
	l := s.left
	n.small(l.crashes, l.duplicates, l.lost, l.unfound, l.forgets, l.leaseEnds, l.flushes, l.purchases, l.total,
		s.deliveries[0], s.deliveries[1], int8(s.orders))
	n.flags(s.old, s.begun)
	return string(n.name)
}

// namer writes a name. What is of no fixed length is ended by a zero or begun by its length.
type namer struct{ name []byte }

func (n *namer) small(numbers ...int8) {
	for _, number := range numbers {
		n.name = append(n.name, byte(number))
	}
}

func (n *namer) flags(flags ...bool) {
	for _, yes := range flags {
		if yes {
			n.name = append(n.name, 1)
		} else {
			n.name = append(n.name, 0)
		}
	}
}

func (n *namer) key(key payments.Key) {
	n.name = append(n.name, key...)
	n.name = append(n.name, 0)
}

// keys are a set.
func (n *namer) keys(keys []payments.Key) {
	n.small(int8(len(keys)))
	for _, key := range slices.Sorted(slices.Values(keys)) {
		n.key(key)
	}
}

func (n *namer) bank(b bank) {
	n.small(int8(len(b.charges)))
	for _, order := range b.charges {
		n.small(int8(order))
	}
	n.small(int8(len(b.keys)))
	for _, k := range b.keys {
		n.key(k.key)
		n.small(int8(k.order), int8(k.charge))
	}
}

func (n *namer) books(b books) {
	n.keys(b.marks)
	n.keys(b.rows)
	n.keys(b.redis)
	for _, e := range b.orders {
		n.key(payments.Key(string(e.status) + e.charge))
		n.small(e.points, e.receipts)
	}
	n.small(int8(len(b.claims)))
	for _, c := range b.claims {
		n.key(c.key)
		n.small(int8(c.fence))
		n.flags(c.done, c.holder == nobody)
	}
}
