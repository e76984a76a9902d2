package stack

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// defaultGrace is the time a child has for the payment in its hands.
const defaultGrace = 5 * time.Second

// child is one number of a supervisor, through all its starts.
type child struct {
	supervisor *Supervisor
	turn       sync.Mutex // one process at a time, also when scaled down and up again

	// The supervisor's mu guards these.
	process Process
	unasked bool   // the latest process ended by itself
	end     func() // asks the latest process to stop
	retire  func() // asks the number to stop; nil while it is not wanted
}

// live starts the child again and again until ctx ends.
func (c *child) live(ctx context.Context, lifeline *os.File) {
	c.turn.Lock()
	defer c.turn.Unlock()
	var pace pace
	for ctx.Err() == nil {
		how := c.once(ctx, lifeline)
		select {
		case <-time.After(pace.next(how)):
		case <-ctx.Done():
		}
	}
}

// once is one process from start to end.
func (c *child) once(ctx context.Context, lifeline *os.File) ending {
	s := c.supervisor
	ctx, end := context.WithCancel(ctx)
	defer end()
	cmd := s.Command(ctx, c.process.Number)
	s.equip(cmd, lifeline)
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		s.logger().ErrorContext(ctx, "child does not start", "role", s.Role, "number", c.process.Number, "error", err)
		return ending{lived: time.Since(begun)}
	}
	process := c.started(cmd.Process.Pid, end)
	_ = cmd.Wait() // how it ended is asked of ProcessState
	how := ending{asked: ctx.Err() != nil, killed: cmd.ProcessState.ExitCode() < 0, lived: time.Since(begun)}
	c.ended(process, cmd.ProcessState, how)
	return how
}

// equip adds what every child of the supervisor gets.
func (s *Supervisor) equip(cmd *exec.Cmd, lifeline *os.File) {
	hand := func(variable string, file *os.File) {
		const standardFiles = 3 // input, output, error
		cmd.Env = append(cmd.Environ(), fmt.Sprintf("%s=%d", variable, standardFiles+len(cmd.ExtraFiles)))
		cmd.ExtraFiles = append(cmd.ExtraFiles, file)
	}
	hand(lifelineVariable, lifeline)
	if s.Listener != nil {
		hand(listenerVariable, s.Listener)
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true // Ctrl-C is for the supervisor, which ends its children in good order
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = cmp.Or(s.Grace, defaultGrace) // then SIGKILL
}

func (c *child) started(pid int, end func()) Process {
	s := c.supervisor
	s.mu.Lock()
	c.process.Start++
	c.process.PID = pid
	if c.unasked {
		c.process.Restarts++
	}
	c.end = end
	process := c.process
	s.mu.Unlock()

	s.logger().Info("child started", "role", s.Role, "number", process.Number, "start", process.Start, "pid", pid)
	if s.OnStart != nil {
		s.OnStart(process)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.announce() // only now, so that whoever waited finds OnStart done
	return process
}

func (c *child) ended(process Process, state *os.ProcessState, how ending) {
	s := c.supervisor
	s.mu.Lock()
	c.unasked = !how.asked
	s.mu.Unlock()
	s.logger().Info("child ended", "role", s.Role, "number", process.Number, "start", process.Start,
		"pid", process.PID, "state", state.String(), "asked", how.asked, "lived", how.lived)
	if s.OnExit != nil {
		s.OnExit(process, state)
	}
}
