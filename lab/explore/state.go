package explore

import (
	"slices"
	"strings"

	"example.com/doublecharge/payments"
)

// state is everything there is at one moment. It is a value: an event makes another one.
type state struct {
	bank    bank
	books   books
	queue   []message
	workers []worker
	left    budget
	orders  int // that were bought
	// deliveries of each order's message so far, and of all, which mints keys.
	deliveries [2]int8
	serial     int8
	old        bool // a day has gone by
	begun      bool // something was delivered
}

// message is a message on its way.
type message struct {
	order       int
	redelivered bool
	attempt     int8
	second      int8
}

// worker is a process. Its local state is the history of the answers it got.
type worker struct {
	busy    bool
	message message
	old     bool
	serial  int8
	acked   bool // early
	history []answer
	next    call // a function of the history; not part of the state's name
}

func newState(left budget, workers int) state {
	s := state{left: left, workers: make([]worker, workers), orders: 1}
	s.queue = []message{{attempt: 1}}
	for i := range s.books.orders {
		s.books.orders[i].status = payments.OrderPending
	}
	return s
}

// clone gives a state whose lists can be changed.
func (s state) clone() state {
	s.queue = slices.Clone(s.queue)
	s.workers = slices.Clone(s.workers)
	return s
}

// quiet says whether nothing is on its way.
func (s state) quiet() bool {
	return len(s.queue) == 0 && !slices.ContainsFunc(s.workers, func(w worker) bool { return w.busy })
}

func (s state) idle() bool {
	return !slices.ContainsFunc(s.workers, func(w worker) bool { return w.busy })
}

func (b *books) heldBy(worker int8) string {
	var held strings.Builder
	for _, c := range b.claims {
		if c.holder == worker {
			held.WriteString(string(c.key))
		}
	}
	return held.String()
}

func (m message) name() string {
	redelivered := byte('f')
	if m.redelivered {
		redelivered = 't'
	}
	return string([]byte{byte('0' + m.order), redelivered, byte('0' + m.attempt), byte('0' + m.second)})
}

func (w worker) name() string {
	if !w.busy {
		return "idle"
	}
	var b strings.Builder
	b.WriteString(w.message.name())
	b.WriteByte(byte('a' + w.serial))
	if w.old {
		b.WriteByte('o')
	}
	if w.acked {
		b.WriteByte('k')
	}
	for _, a := range w.history {
		b.WriteString(a.name())
	}
	return b.String()
}
