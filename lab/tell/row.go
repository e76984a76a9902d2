package tell

import "example.com/doublecharge/payments/step"

// Lane is a column of the diagram: a place where things happen.
type Lane int

// The lanes. Api, relay and mailer are folded into the shop, the queue and the ledger; all workers share one.
const (
	Shop Lane = iota
	Queue
	Worker
	Bank
	Ledger
)

// lanes is how many there are.
const lanes = 5

// laneOf is where a process stands.
func laneOf(p step.Process) Lane {
	switch p.Role {
	case "relay":
		return Queue
	case "worker":
		return Worker
	case "stripe":
		return Bank
	case "mailer":
		return Ledger
	default:
		return Shop
	}
}

// Row is one thing that a reader can follow; the events around it are folded into it.
type Row struct {
	// Kind names the row's words: "row." and the kind are the key.
	Kind string
	// From and To are equal for what happens in one place.
	From, To Lane
	// Args fill the placeholders of the words.
	Args Args
	// Tag is the id or key that went along, and TagKind what it is: id or key.
	Tag, TagKind string
	Tone         Tone
	// process is who did it, and applied says that the row tells of applied effects already.
	process step.Process
	applied bool
}

// local says that the row is no arrow.
func (r Row) local() bool { return r.From == r.To }
