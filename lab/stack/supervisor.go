package stack

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Supervisor keeps a number of child processes of one role alive. Dying is their business: a child
// that is gone is started again at once.
//
//	Run ── for each number ──▶ start ──▶ wait ──▶ pause, rarely ─┐
//	                             ▲                              │
//	                             └──────────────────────────────┘
type Supervisor struct {
	// Role names the children in the log.
	Role string
	// Children is how many there are at first. Default: 1. Scale changes it later.
	Children int
	// Command builds the command of one child, with exec.CommandContext and the context given; the end
	// of that context is what asks the child to stop. Its standard output and error are the caller's to
	// set. The supervisor adds the lifeline, the listener and a process group.
	Command func(ctx context.Context, number int) *exec.Cmd
	// Listener is handed to every child, so that a port stays open while a child is dead. Default: none.
	Listener *os.File
	// Grace is the time from SIGTERM to SIGKILL. Default: 5 s.
	Grace time.Duration
	// OnStart and OnExit hear of every child. Default: nobody does.
	OnStart func(Process)
	OnExit  func(Process, *os.ProcessState)
	// Logger hears too. Default: silence.
	Logger *slog.Logger

	mu       sync.Mutex
	scaled   bool // Scale has been called, and Children no longer counts
	wanted   int
	children []*child      // all that ever were, by number; the first wanted ones are alive
	changed  chan struct{} // closed at the next change of any of these; nil while nobody waits for it
}

// Run keeps the children alive until ctx ends, then stops them and returns when all are gone. It can
// be called once.
func (s *Supervisor) Run(ctx context.Context) error {
	lifeline, ours, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("make the lifeline: %w", err)
	}
	defer func() { _ = lifeline.Close() }()
	defer func() { _ = ours.Close() }() // only we hold this end: it closes when we die

	var living sync.WaitGroup
	for {
		changed := s.adjust(ctx, &living, lifeline)
		select {
		case <-changed:
		case <-ctx.Done():
			living.Wait()
			return nil
		}
	}
}

// adjust starts and stops children until as many live as are wanted. What it returns is closed at
// the next change.
func (s *Supervisor) adjust(ctx context.Context, living *sync.WaitGroup, lifeline *os.File) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.scaled {
		s.scaled, s.wanted = true, cmp.Or(s.Children, 1)
	}
	for len(s.children) < s.wanted {
		s.children = append(s.children, &child{supervisor: s, process: Process{Number: len(s.children) + 1}})
	}
	for i, c := range s.children {
		switch {
		case i < s.wanted && c.retire == nil:
			var alive context.Context
			alive, c.retire = context.WithCancel(ctx)
			living.Go(func() { c.live(alive, lifeline) })
		case i >= s.wanted && c.retire != nil:
			c.retire()
			c.retire = nil
		}
	}
	return s.change()
}

// change is closed when something changes. The caller holds mu.
func (s *Supervisor) change() <-chan struct{} {
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

// announce wakes whoever waits for a change. The caller holds mu.
func (s *Supervisor) announce() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

func (s *Supervisor) logger() *slog.Logger {
	return cmp.Or(s.Logger, slog.New(slog.DiscardHandler))
}
