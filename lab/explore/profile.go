package explore

import (
	"slices"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/strategy"
)

// Profile is what a strategy does when nothing goes wrong, found by letting it do it. Whatever depends on
// a strategy's steps reads it, so that a new strategy has to be described nowhere.
type Profile struct {
	// Steps are the ids of the steps of a delivery, in their order.
	Steps []string
	// Keyed strategies send the bank a key, Claims ones claim, Redis ones look there, Clock ones ask for
	// the time.
	Keyed, Claims, Redis, Clock bool
}

// ProfileOf tries the strategy once.
func ProfileOf(maker Maker) Profile {
	p := Profile{Steps: []string{"worker.received"}}
	clock := false
	r := rules{deliveries: 1, handler: newHandler(func(t strategy.Tools) strategy.Strategy {
		now := t.Now
		t.Now = func() time.Time { clock = true; return now() }
		return maker(t)
	})}
	s := newState(budget{}, 1)
	for events := r.possible(s); len(events) > 0; events = r.possible(s) {
		w := s.workers[0]
		if w.busy {
			p.add(w.next)
		}
		next, err := r.after(s, events[0])
		if err != nil {
			break // It is possible: possible said so.
		}
		s = next
	}
	p.Clock = clock
	return p
}

func (p *Profile) add(c call) {
	steps := map[verb][]string{
		look: {"worker.checked"}, lock: {"worker.checked"}, find: {"worker.checked"},
		pay: {"worker.charging", "worker.charged"}, apply: {"worker.applied"},
		mark: {"worker.recorded"}, record: {"worker.recorded"}, ack: {"worker.acked"},
	}
	p.Steps = append(p.Steps, steps[c.verb]...)
	p.Keyed = p.Keyed || (c.verb == pay && c.key != payments.NoKey)
	p.Claims = p.Claims || c.verb == lock
	p.Redis = p.Redis || slices.Contains([]where{inRedis, inHybrid}, c.set)
}

// AcksEarly says whether the message is acked before the work is done.
func (p Profile) AcksEarly() bool { return p.Steps[len(p.Steps)-1] != "worker.acked" }

// Applies says whether an adversary has anything to do with the strategy.
func (p Profile) Applies(a Adversary) bool {
	switch a {
	case ForgottenKey:
		return p.Keyed
	case LeaseEnd:
		return p.Claims
	case LostRedis:
		return p.Redis
	default:
		return true
	}
}
