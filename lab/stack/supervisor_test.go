package stack_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack"
)

// stubborn does not stop when it is asked to.
func stubborn(ctx context.Context) error {
	signal.Ignore(syscall.SIGTERM)
	if err := stack.WatchLifeline(ctx, func() { os.Exit(1) }); err != nil {
		return err
	}
	fmt.Println("deaf")
	select {}
}

// event is one call of OnStart or OnExit.
type event struct {
	stack.Process
	at    time.Time
	state *os.ProcessState // nil: it started
}

// running is a supervisor under test and what it tells.
type running struct {
	*stack.Supervisor
	events chan event
	stop   func() // returns when Run has
}

// run starts a supervisor of children that play the part.
func run(t *testing.T, part string, s *stack.Supervisor) running {
	t.Helper()
	r := running{Supervisor: s, events: make(chan event, 1000)}
	s.Role = part
	s.OnStart = func(p stack.Process) { r.events <- event{Process: p, at: time.Now()} }
	s.OnExit = func(p stack.Process, state *os.ProcessState) {
		r.events <- event{Process: p, at: time.Now(), state: state}
	}
	if s.Command == nil {
		s.Command = func(ctx context.Context, _ int) *exec.Cmd { return playing(ctx, part) }
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	r.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(r.stop)
	return r
}

func (r running) next(t *testing.T) event {
	t.Helper()
	select {
	case e := <-r.events:
		return e
	case <-time.After(30 * time.Second):
		t.Fatal("nothing happens")
		return event{}
	}
}

func (r running) started(t *testing.T) event {
	t.Helper()
	for {
		if e := r.next(t); e.state == nil {
			return e
		}
	}
}

// TestCrashIsForgivenAtOnce lets a child kill itself as soon as it is up, again and again: the gap
// between its end and its next start stays short, and nothing slows it down.
func TestCrashIsForgivenAtOnce(t *testing.T) {
	t.Parallel()
	r := run(t, asCrasher, &stack.Supervisor{})
	var gaps []time.Duration
	var exit event
	for len(gaps) < 10 {
		e := r.next(t)
		switch {
		case e.state != nil:
			exit = e
			if status, ok := e.state.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("child ended by %v, want SIGKILL", e.state)
			}
		case exit.PID != 0:
			gaps = append(gaps, e.at.Sub(exit.at))
			if e.Start != len(gaps)+1 || e.Restarts != len(gaps) || e.Number != 1 {
				t.Errorf("%+v after %d crashes", e.Process, len(gaps))
			}
		}
	}
	t.Log("from end to next start:", gaps)
	if slowest := slices.Max(gaps); slowest > time.Second { // 200 ms, were the machine ours alone
		t.Errorf("a child was away for %v", slowest)
	}
}

// TestBrokenChildSlowsDown lets a child exit with an error as soon as it is up.
func TestBrokenChildSlowsDown(t *testing.T) {
	t.Parallel()
	r := run(t, asBroken, &stack.Supervisor{})
	var gaps []time.Duration
	var exit event
	for len(gaps) < 6 {
		if e := r.next(t); e.state != nil {
			exit = e
		} else if exit.PID != 0 {
			gaps = append(gaps, e.at.Sub(exit.at))
		}
	}
	t.Log("from end to next start:", gaps)
	for i, least := range []time.Duration{0, 0, 0, 100, 200, 400} {
		if gaps[i] < least*time.Millisecond {
			t.Errorf("pause %d was %v, want at least %dms", i+1, gaps[i], least)
		}
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	r := run(t, asChild, &stack.Supervisor{Children: 2})
	first, second := r.started(t), r.started(t)
	r.Scale(3)
	third := r.started(t)
	if numbers := []int{first.Number, second.Number, third.Number}; third.Number != 3 {
		t.Errorf("numbers %v, want the third to be 3", numbers)
	}
	r.Scale(1)
	for range 2 {
		e := r.next(t)
		if e.state == nil || e.Number == 1 {
			t.Fatalf("%+v, want that 2 and 3 end", e)
		}
		if status, ok := e.state.Sys().(syscall.WaitStatus); ok && status.Signal() == syscall.SIGKILL {
			t.Errorf("number %d was not asked to stop, but killed", e.Number)
		}
	}
	r.Scale(2)
	again := r.started(t)
	if again.Number != 2 || again.Start != 2 || again.Restarts != 0 {
		t.Errorf("%+v, want a second start of number 2, which is no restart", again)
	}
	if got := len(r.Processes()); got != 2 {
		t.Errorf("%d processes, want 2", got)
	}
	r.stop()
	for _, e := range []event{first, second, third, again} {
		if alive(e.PID) {
			t.Errorf("%+v is alive after Run", e.Process)
		}
	}
}

// TestReplace returns when new processes have started, also when an old one does not want to go.
func TestReplace(t *testing.T) {
	t.Parallel()
	r := run(t, asChild, &stack.Supervisor{Children: 2})
	r.started(t)
	r.started(t)
	before := r.Processes()
	if err := r.Replace(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, p := range r.Processes() {
		if p.PID == before[i].PID || p.Start != 2 || p.Restarts != 0 {
			t.Errorf("%+v after replacing %+v", p, before[i])
		}
		if alive(before[i].PID) {
			t.Errorf("%+v is alive after it was replaced", before[i])
		}
	}
}

// TestGraceEnds stops a child that ignores SIGTERM.
func TestGraceEnds(t *testing.T) {
	t.Parallel()
	output, input, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = output.Close() }()
	r := run(t, asStubborn, &stack.Supervisor{
		Grace: 100 * time.Millisecond,
		Command: func(ctx context.Context, _ int) *exec.Cmd {
			cmd := playing(ctx, asStubborn)
			cmd.Stdout = input
			return cmd
		},
	})
	stubborn := r.started(t)
	if got := readLine(t, bufio.NewReader(output)); got != "deaf" {
		t.Fatalf("the child says %q", got)
	}
	r.stop()
	if err := input.Close(); err != nil {
		t.Fatal(err)
	}
	exit := r.next(t)
	if status, ok := exit.state.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Errorf("child ended by %v, want SIGKILL", exit.state)
	}
	if alive(stubborn.PID) {
		t.Error("the child is alive after Run")
	}
}
