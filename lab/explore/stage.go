package explore

import (
	"errors"
	"math/rand/v2"

	"example.com/doublecharge/payments"
)

// Stage is a world in which a schedule is played event by event, beside one on real processes.
type Stage struct {
	rules rules
	state state
}

// Turn says what an event means for a real worker.
type Turn struct {
	// Stands is the step at which the worker stands afterwards; "" when it stands at none.
	Stands string
	// Stays says that the worker need not be moved: what it would do next changes nothing.
	Stays bool
	// Ended says that its delivery is over.
	Ended bool
	// Redelivered is what the broker says of a delivery, and Claimed that a claim was taken.
	Redelivered, Claimed bool
}

// plenty is a budget that no schedule uses up.
const plenty = 100

// NewStage makes a stage in which anything may go wrong.
func NewStage(maker Maker, workers int) *Stage {
	left := budget{plenty, plenty, plenty, plenty, plenty, plenty, plenty, 1, plenty}
	return &Stage{rules{handler: newHandler(maker), deliveries: plenty}, newState(left, workers)}
}

// Play lets the event happen. An error means that it cannot.
func (s *Stage) Play(e Event) (Turn, error) {
	before := s.state
	after, err := s.rules.after(before, e)
	if err != nil {
		return Turn{}, err
	}
	s.state = after
	i, v, _ := e.split()
	if i < 0 {
		return Turn{}, nil
	}
	t := Turn{Ended: !after.workers[i].busy}
	err = s.rules.last.err
	switch v {
	case deliver:
		t.Stands, t.Redelivered = "worker.received", before.queue[0].redelivered
	case look, find, lock:
		t.Stands, t.Claimed = "worker.checked", v == lock && err == nil
	case pay:
		t.Stands = "worker.charged"
	case apply:
		t.Stands = "worker.applied"
	case mark, record:
		t.Stands, t.Stays = "worker.recorded", errors.Is(err, payments.ErrAlreadyDone)
	case ack:
		t.Stands = "worker.acked"
	case nothing, crashes:
	}
	if v != lock && err != nil { // The tool gave an error, and no step was reached.
		t.Stands = ""
	}
	return t, nil
}

// Outcomes are those of every order so far.
func (s *Stage) Outcomes() []Outcome { return s.state.outcomes() }

// Random draws a schedule that comes to rest, with any troubles but a second purchase.
func Random(rng *rand.Rand, maker Maker, b Bounds) (Schedule, []Outcome, error) {
	left, workers, deliveries := Combined.budget(b)
	r := rules{handler: newHandler(maker), deliveries: int8(deliveries)}
	for {
		s := newState(left, workers)
		var schedule Schedule
		for !s.quiet() || !s.begun {
			events := r.possible(s)
			if len(events) == 0 {
				break // The bound on deliveries cuts it off; another one.
			}
			event := events[rng.IntN(len(events))]
			next, err := r.after(s, event)
			if err != nil {
				return nil, nil, err
			}
			schedule, s = append(schedule, event), next
		}
		if s.quiet() && s.begun {
			return schedule, s.outcomes(), nil
		}
	}
}
