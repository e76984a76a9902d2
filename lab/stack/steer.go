package stack

import "context"

// Process is one child as it is now.
type Process struct {
	Number   int // which of the role's children, from 1
	Start    int // how many times this number has been started
	PID      int // of the latest start
	Restarts int // how many of the starts followed an end that nobody asked for
}

// Processes are the children that there should be, in the order of their numbers. One that is just
// being started again is listed with its latest pid.
func (s *Supervisor) Processes() []Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	var processes []Process
	for _, c := range s.children[:min(s.wanted, len(s.children))] {
		if c.process.Start > 0 {
			processes = append(processes, c.process)
		}
	}
	return processes
}

// Scale changes how many children there are. It does not wait for them.
func (s *Supervisor) Scale(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scaled, s.wanted = true, max(n, 0)
	s.announce()
}

// Replace stops every child, gracefully, and returns when the successor of each has started.
func (s *Supervisor) Replace(ctx context.Context) error {
	before := s.Processes()
	for _, old := range before {
		s.end(old)
	}
	for _, old := range before {
		if err := s.awaitSuccessor(ctx, old); err != nil {
			return err
		}
	}
	return nil
}

// end asks a process to stop, unless it is no longer the one that we know.
func (s *Supervisor) end(old Process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.children[old.Number-1]; c.process.Start == old.Start {
		c.end()
	}
}

func (s *Supervisor) awaitSuccessor(ctx context.Context, old Process) error {
	for {
		s.mu.Lock()
		wanted := old.Number <= s.wanted
		started := s.children[old.Number-1].process.Start > old.Start
		changed := s.change()
		s.mu.Unlock()
		if started || !wanted {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
