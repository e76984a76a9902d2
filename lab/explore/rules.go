package explore

import (
	"fmt"
	"slices"

	"example.com/doublecharge/payments"
)

// lastAttempt is the attempt after which a message is dead-lettered: one retry for each of three delays.
const lastAttempt = 4

// rules are the world's, for one strategy.
type rules struct {
	handler    *handler
	deliveries int8
	// dayFirst lets a message that comes again come after the day in which the bank forgot its key: it is
	// that day whose harm is looked for, and not that of coming again.
	dayFirst bool
	// last is the newest answer that a worker got.
	last answer
}

// deliverable says whether the first message of the queue can be handed out.
func (r *rules) deliverable(s state) bool {
	if len(s.queue) == 0 || s.deliveries[s.queue[0].order] >= r.deliveries {
		return false
	}
	return !r.dayFirst || s.old || s.deliveries[s.queue[0].order] == 0
}

// possible lists the events that can happen now, in a fixed order: what workers do first, troubles last.
func (r *rules) possible(s state) []Event {
	var events []Event
	for i, w := range s.workers {
		switch {
		case w.busy:
			events = append(events, of(i, w.next.verb, ""))
		case r.deliverable(s):
			events = append(events, of(i, deliver, ""))
		}
	}
	if s.left.total == 0 {
		return events
	}
	for i, w := range s.workers {
		if w.busy {
			events = append(events, s.left.against(i, w.next.verb)...)
		}
	}
	return append(events, r.around(s)...)
}

// against lists the troubles that a worker can have with what it does next.
func (b budget) against(i int, next verb) []Event {
	var events []Event
	if b.crashes > 0 {
		events = append(events, of(i, crashes, ""))
	}
	if next == pay && b.lost > 0 {
		events = append(events, of(i, pay, lost), of(i, pay, never))
	}
	if next == find && b.unfound > 0 {
		events = append(events, of(i, find, never))
	}
	return events
}

// around lists what can happen besides the workers' turns.
func (r *rules) around(s state) []Event {
	var events []Event
	for _, e := range []struct {
		event Event
		can   bool
	}{
		{buy, s.left.purchases > 0 && !s.begun},
		{flush, s.left.flushes > 0 && len(s.books.redis) > 0},
		{duplicate, s.left.duplicates > 0},
		{forget, s.left.forgets > 0 && s.begun && s.idle() && len(s.bank.keys) > 0},
		{leaseEnd, s.left.leaseEnds > 0 && s.books.underWork() >= 0},
	} {
		if e.can {
			events = append(events, e.event)
		}
	}
	return events
}

// underWork is the place of a claim whose holder is at work, or -1.
func (b *books) underWork() int {
	return slices.IndexFunc(b.claims, func(c claim) bool { return c.holder != nobody && !c.done })
}

// after is the state after a possible event.
func (r *rules) after(s state, e Event) (state, error) {
	if !slices.Contains(r.possible(s), e) {
		return s, fmt.Errorf("%q cannot happen here", e)
	}
	s = s.clone()
	r.last = answer{}
	worker, v, how := e.split()
	switch {
	case worker < 0:
		r.trouble(&s, e)
	case v == deliver:
		r.deliver(&s, worker)
	case v == crashes:
		s.left.crashes--
		s.left.total--
		crash(&s, worker)
	default:
		r.perform(&s, worker, how)
	}
	return s, nil
}

func (r *rules) trouble(s *state, e Event) {
	s.left.total--
	switch e {
	case buy:
		s.left.purchases--
		s.orders = 2
		s.queue = append(s.queue, message{order: 1, attempt: 1})
	case duplicate:
		s.left.duplicates--
		s.queue = append(s.queue, message{attempt: 1, second: 1})
	case flush:
		s.left.flushes--
		s.books.redis = nil
	case forget:
		s.left.forgets--
		s.old = true
		s.bank = s.bank.forget()
	case leaseEnd:
		s.left.leaseEnds--
		s.books.claims = slices.Clone(s.books.claims)
		s.books.claims[s.books.underWork()].holder = nobody
	}
}

// deliver hands the first message of the queue to a worker.
func (r *rules) deliver(s *state, i int) {
	m := s.queue[0]
	s.queue = s.queue[1:]
	s.deliveries[m.order]++
	s.serial++
	s.begun = true
	s.workers[i] = worker{busy: true, message: m, old: s.old, serial: s.serial}
	r.resume(s, i)
}

// crash drops a worker's history. What bank and tables did stays done; what was not acked comes back.
func crash(s *state, i int) {
	w := s.workers[i]
	s.workers[i] = worker{}
	s.books.leave(int8(i))
	if w.acked {
		return
	}
	m := w.message
	m.redelivered, m.second = true, m.second+1
	s.queue = append([]message{m}, s.queue...)
}

// perform lets the worker's next call take effect, and the worker go on with its answer.
func (r *rules) perform(s *state, i int, how string) {
	w := &s.workers[i]
	if w.next.verb == ack && w.next.key == afterwards { // The loop's own ack: the turn is over.
		*w = worker{}
		s.books.leave(int8(i))
		return
	}
	if how != "" {
		s.left.total--
	}
	a := r.answer(s, int8(i), w.next, how)
	r.last = a
	w.acked = w.acked || w.next.verb == ack
	w.history = append(slices.Clip(w.history), a)
	r.resume(s, i)
}

// answer executes a call.
func (r *rules) answer(s *state, i int8, c call, how string) (a answer) {
	order := s.workers[i].message.order
	switch c.verb {
	case look:
		a.yes = s.books.seen(c.set, c.key)
	case mark:
		a.err = s.books.markIn(c.set, c.key)
	case lock:
		a.claim, a.err = s.books.claim(c.key, i)
	case find:
		a = r.find(s, order, how)
	case pay:
		a = r.pay(s, order, c.key, how)
	case apply:
		s.books.apply(order, c.outcome)
	case record:
		if c.claimed {
			a.err = s.books.complete(c.claim, order, c.outcome)
		} else {
			a.err = s.books.applyOnce(c.key, order, c.outcome)
		}
	default: // An ack has no answer.
	}
	return a
}

func (r *rules) pay(s *state, order int, key payments.Key, how string) (a answer) {
	if how != "" {
		s.left.lost--
	}
	if how == never {
		return answer{err: payments.ErrUnknown}
	}
	s.bank, a.outcome, a.err = s.bank.charge(order, key)
	if how == lost {
		return answer{err: payments.ErrUnknown}
	}
	return a
}

func (r *rules) find(s *state, order int, how string) (a answer) {
	if how == never {
		s.left.unfound--
		return answer{err: payments.ErrUnknown}
	}
	a.outcome, a.yes = s.bank.find(order)
	return a
}
