package explore

import (
	"example.com/doublecharge/payments"
)

// Detail is what a line tells to whoever draws it instead of reading it.
type Detail struct {
	// Order is whose message it is about, from 1; 0 when it is about none.
	Order int `json:"order,omitempty"`
	// Outcome is what came of it: of a delivery "first", "again" or "retry"; of a charge "charged",
	// "replayed", "refused" or "never"; of a question to the bank "charged", "not-charged" or "never"; of a
	// look "seen" or "not-seen"; of what is written or claimed "done" or "refused".
	Outcome string `json:"outcome,omitempty"`
	// Key is what the bank was sent to recognise a repetition by; "" when the strategy sent none.
	Key payments.Key `json:"key,omitempty"`
	// Ended says how the delivery came to its end with this event: "retry" or "dead-letter".
	Ended string `json:"ended,omitempty"`
}

// detailOf knows the state before and after the event, and the answer that the worker got.
func detailOf(before, after state, e Event, a answer) Detail {
	i, v, how := e.split()
	switch {
	case e == duplicate:
		return Detail{Order: 1}
	case e == buy:
		return Detail{Order: 2}
	case i < 0:
		return Detail{}
	case v == deliver:
		m := before.queue[0]
		return Detail{Order: m.order + 1, Outcome: m.nth()}
	}
	w := before.workers[i]
	d := Detail{Order: w.message.order + 1, Ended: ended(before, after, w.message.order, v)}
	switch v {
	case pay:
		d.Key, d.Outcome = w.next.key, charging(before, after, w.message.order, how)
	case find:
		d.Outcome = found(a.yes, how)
	case look:
		d.Outcome = either(a.yes, "seen", "not-seen")
	case lock, apply, mark, record:
		d.Outcome = either(a.err == nil, "done", "refused")
	default: // A crash and an ack have no answer.
	}
	return d
}

// nth says how the message comes.
func (m message) nth() string {
	switch {
	case m.redelivered:
		return "again"
	case m.attempt > 1:
		return "retry"
	default:
		return "first"
	}
}

func charging(before, after state, order int, how string) string {
	n := after.bank.count(order)
	switch {
	case how == never:
		return "never"
	case n > before.bank.count(order):
		return "charged"
	default:
		return either(n > 0, "replayed", "refused")
	}
}

func found(yes bool, how string) string {
	if how == never {
		return "never"
	}
	return either(yes, "charged", "not-charged")
}

// ended says how a delivery was settled that was not acked.
func ended(before, after state, order int, v verb) string {
	parked := func(s state) bool { return s.books.orders[order].status == payments.OrderNeedsAttention }
	switch {
	case v == crashes:
		return ""
	case len(after.queue) > len(before.queue):
		return "retry"
	default:
		return either(parked(after) && !parked(before), "dead-letter", "")
	}
}

func either(yes bool, one, other string) string {
	if yes {
		return one
	}
	return other
}
