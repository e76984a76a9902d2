package explore

import (
	"context"
	"crypto/sha256"
	"math"
	"slices"
	"time"

	"example.com/doublecharge/worker/strategy"
)

// Search is what one adversary can do to one strategy.
type Search struct {
	Adversary Adversary
	// Schedules counts the ways from the beginning to an end, up to the largest number there is.
	Schedules  uint64
	States     int
	Took       time.Duration
	Violations []Violation
}

// Violation is a property that does not hold, and the shortest schedule that shows it.
type Violation struct {
	Adversary Adversary
	Property  Property
	Schedule  Schedule
}

// node is a state that was reached, and how.
type node struct {
	from  int32
	event Event
	next  []int32
}

// seeker is one search under way. States are kept only until they are expanded; what stays is their name
// and the way to them.
type seeker struct {
	rules rules
	names map[[16]byte]int32
	nodes []node
	found map[Property]int32
}

// search looks at every state, breadth first, so that the first violation of a property is a shortest one.
func search(ctx context.Context, make Maker, a Adversary, b Bounds) (Search, error) {
	begun := time.Now()
	left, workers, deliveries := a.budget(b)
	k := &seeker{
		rules: rules{handler: newHandler(make), deliveries: int8(deliveries), dayFirst: a == ForgottenKey},
		names: map[[16]byte]int32{}, found: map[Property]int32{},
	}
	first := newState(left, workers)
	at, _ := k.visit(first, -1, "")
	for frontier := []reached{{at, first}}; len(frontier) > 0; {
		if err := ctx.Err(); err != nil {
			return Search{}, err
		}
		var next []reached
		for _, r := range frontier {
			fresh, err := k.expand(r)
			if err != nil {
				return Search{}, err
			}
			next = append(next, fresh...)
		}
		frontier = next
	}
	return Search{
		Adversary: a, Schedules: k.schedules(), States: len(k.nodes), Took: time.Since(begun),
		Violations: k.violations(a),
	}, nil
}

// reached is a state that is to be expanded.
type reached struct {
	at    int32
	state state
}

// expand lets everything happen that can, and gives the states that are new.
func (k *seeker) expand(r reached) (fresh []reached, err error) {
	for _, event := range k.rules.possible(r.state) {
		s, err := k.rules.after(r.state, event)
		if err != nil {
			return nil, err
		}
		at, isNew := k.visit(s, r.at, event)
		k.nodes[r.at].next = append(k.nodes[r.at].next, at)
		if isNew {
			fresh = append(fresh, reached{at, s})
		}
	}
	return fresh, nil
}

// visit gives the state's number, and judges it when it is new.
func (k *seeker) visit(s state, from int32, event Event) (at int32, isNew bool) {
	sum := sha256.Sum256([]byte(s.name()))
	name := [16]byte(sum[:16])
	if at, known := k.names[name]; known {
		return at, false
	}
	at = int32(len(k.nodes))
	k.names[name] = at
	k.nodes = append(k.nodes, node{from: from, event: event})
	for _, property := range s.broken() {
		if _, before := k.found[property]; !before {
			k.found[property] = at
		}
	}
	return at, true
}

// violations lists what was found, in the order of the properties.
func (k *seeker) violations(a Adversary) []Violation {
	var list []Violation
	for _, property := range Properties() {
		if at, found := k.found[property]; found {
			list = append(list, Violation{a, property, k.way(at)})
		}
	}
	return list
}

// way goes back from a state to the beginning.
func (k *seeker) way(at int32) Schedule {
	var s Schedule
	for ; k.nodes[at].from >= 0; at = k.nodes[at].from {
		s = append(s, k.nodes[at].event)
	}
	slices.Reverse(s)
	return s
}

// schedules counts the ways from the beginning to the states after which nothing happens. An event uses
// something up, so no way comes back to where it was.
func (k *seeker) schedules() uint64 {
	waiting := make([]int32, len(k.nodes)) // events into a state that are not counted yet
	for _, n := range k.nodes {
		for _, to := range n.next {
			waiting[to]++
		}
	}
	ways := make([]uint64, len(k.nodes))
	ways[0] = 1
	total := uint64(0)
	for ready := []int32{0}; len(ready) > 0; {
		at := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		if len(k.nodes[at].next) == 0 {
			total = plus(total, ways[at])
		}
		for _, to := range k.nodes[at].next {
			ways[to] = plus(ways[to], ways[at])
			if waiting[to]--; waiting[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	return total
}

func plus(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// MakerOf makes a strategy by its id.
func MakerOf(id string) (Maker, bool) {
	known := slices.Contains(strategy.IDs(), id)
	return func(t strategy.Tools) strategy.Strategy {
		for _, named := range strategy.All(t) {
			if named.ID == id {
				return named.Strategy
			}
		}
		return nil
	}, known
}
