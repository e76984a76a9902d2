package stack

import "time"

const (
	shortLife    = time.Second // who dies younger, by an exit of its own, may be broken
	freeFailures = 3           // so many such deaths in a row cost nothing
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
)

// ending is how a child ended.
type ending struct {
	asked  bool // we wanted it
	killed bool // by a signal
	lived  time.Duration
}

// pace decides how long a child waits before it starts again. A crash costs nothing, for crashes are
// what the lab is about. Only a child that keeps exiting as soon as it is up, for instance because
// its settings are wrong, waits longer and longer.
type pace struct {
	failures int // in a row
}

func (p *pace) next(how ending) time.Duration {
	if how.asked || how.killed || how.lived >= shortLife {
		p.failures = 0
		return 0
	}
	p.failures++
	pause := time.Duration(0)
	for range p.failures - freeFailures {
		pause = min(max(2*pause, firstPause), longestPause)
	}
	return pause
}
