package explore

import (
	"fmt"
	"slices"
	"strings"
)

// Event is one thing that happens: a turn of a worker, or something around it. Its text is a token of a
// schedule: "w1:charge", "w1:charge=lost", "w2:crash", "duplicate".
type Event string

// The events that belong to no worker.
const (
	duplicate Event = "duplicate" // the message is published once more
	forget    Event = "forget"    // a day goes by, and the bank forgets its keys
	leaseEnd  Event = "lease-end" // a lease ends while its holder is at work
	flush     Event = "flush"     // Redis loses everything
	buy       Event = "buy"       // the honest second purchase
)

// lost and never say of a call to the bank that only its answer was lost, or the call itself.
const (
	lost  = "=lost"
	never = "=never"
)

// Schedule is events in their order.
type Schedule []Event

func (s Schedule) String() string {
	texts := make([]string, len(s))
	for i, event := range s {
		texts[i] = string(event)
	}
	return strings.Join(texts, " ")
}

// ParseSchedule reads a schedule. An error names the token.
func ParseSchedule(text string) (Schedule, error) {
	var s Schedule
	for token := range strings.FieldsSeq(text) {
		if !known(Event(token)) {
			return nil, fmt.Errorf("%q is no event of a schedule", token)
		}
		s = append(s, Event(token))
	}
	return s, nil
}

func known(e Event) bool {
	if slices.Contains([]Event{duplicate, forget, leaseEnd, flush, buy}, e) {
		return true
	}
	i, v, how := e.split()
	verbs := []verb{deliver, look, lock, find, pay, apply, mark, record, ack, crashes}
	return (i == 0 || i == 1) && slices.Contains(verbs, v) &&
		(how == "" || how == never && (v == pay || v == find) || how == lost && v == pay)
}

// of makes the event of a worker.
func of(worker int, v verb, how string) Event {
	return Event(fmt.Sprintf("w%d:%s%s", worker+1, v, how))
}

// Worker is the worker whose event it is, from 1; 0 is nobody's.
func (e Event) Worker() int {
	i, _, _ := e.split()
	return i + 1
}

// Verb is what the worker does, without how it went.
func (e Event) Verb() string {
	_, v, _ := e.split()
	return string(v)
}

// How is "=lost", "=never" or "".
func (e Event) How() string {
	_, _, how := e.split()
	return how
}

func (e Event) split() (worker int, v verb, how string) {
	name, rest, found := strings.Cut(string(e), ":")
	if !found || len(name) != 2 || name[0] != 'w' {
		return -1, verb(e), ""
	}
	if i := strings.IndexByte(rest, '='); i >= 0 {
		rest, how = rest[:i], rest[i:]
	}
	return int(name[1] - '1'), verb(rest), how
}
