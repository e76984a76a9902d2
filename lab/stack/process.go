package stack

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	patience  = 10 * time.Second // for each signal, before a firmer one
	haste     = time.Second      // the same once the context has ended
	tailLines = 12
)

// process is one running program in a process group of its own, writing to a log file in its home.
type process struct {
	program program
	cmd     *exec.Cmd
	exited  chan struct{} // closed when the process has ended and was waited for
}

// start runs the program. The process outlives ctx: only stop ends it.
func start(ctx context.Context, h home, p program) (*process, error) {
	log, err := os.OpenFile(logFile(h), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	defer func() { _ = log.Close() }() // the child has its own copy

	cmd := exec.CommandContext(context.WithoutCancel(ctx), p.path, p.args...) //nolint:gosec // an installed program
	cmd.Dir, cmd.Env = h.dir, p.env
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: p.as}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(p.path), err)
	}
	running := &process{program: p, cmd: cmd, exited: make(chan struct{})}
	go func() {
		defer close(running.exited)
		_ = cmd.Wait() // how it ended is asked of ProcessState
	}()
	if err := h.keeper.Watch(group(cmd.Process.Pid, p.abort)); err != nil {
		running.kill()
		return nil, err
	}
	return running, nil
}

// run starts the program and waits until it has succeeded.
func run(ctx context.Context, h home, p program) error {
	running, err := start(ctx, h, p)
	if err != nil {
		return err
	}
	select {
	case <-running.exited:
	case <-ctx.Done():
		running.kill()
		return context.Cause(ctx)
	}
	if state := running.cmd.ProcessState; !state.Success() {
		return fmt.Errorf("%s: %v\n%s", filepath.Base(p.path), state, tail(h))
	}
	return nil
}

// stop asks the program to end, less and less politely, and returns when it has. The end of ctx
// makes it hasty.
func (r *process) stop(ctx context.Context) {
	for _, signal := range r.program.farewell {
		_ = r.cmd.Process.Signal(signal)
		if r.endsWithin(ctx) {
			return
		}
	}
	r.kill()
}

func (r *process) endsWithin(ctx context.Context) bool {
	select {
	case <-r.exited:
		return true
	case <-time.After(patience):
		return false
	case <-ctx.Done():
	}
	select {
	case <-r.exited:
		return true
	case <-time.After(haste):
		return false
	}
}

// kill ends the whole group. It is sent only while the leader has not been waited for, so the number
// cannot mean anybody else.
func (r *process) kill() {
	select {
	case <-r.exited:
	default:
		_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
		<-r.exited
	}
}

func logFile(h home) string { return filepath.Join(h.dir, "log") }

// tail is the end of the log, which is where a server says why it will not start.
func tail(h home) []byte {
	text, err := os.ReadFile(logFile(h))
	if err != nil {
		return nil
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-tailLines):], []byte("\n"))
}
