package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	commandGrace = 5 * time.Second  // from SIGTERM to SIGKILL
	closeLimit   = 15 * time.Second // for stopping the servers politely
)

// errParentDied is why a command ends that nobody waits for any more.
var errParentDied = errors.New("our parent process died")

// RunWith brings the servers up, runs a command with their URLs in its environment, and takes all of
// it down: the servers, and what the command left in its process group. It returns the command's exit
// code. The end of ctx, and the death of our parent, end the command early.
func RunWith(ctx context.Context, s *Stack, argv []string) (code int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	WatchParent(ctx, func() { cancel(errParentDied) })

	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		err = errors.Join(err, s.Close(closing))
	}()
	if err := s.Start(ctx); err != nil {
		return 0, err
	}
	return runGroup(ctx, argv, append(os.Environ(), s.Environ()...))
}

func runGroup(ctx context.Context, argv, environ []string) (code int, err error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // running what the caller says is the purpose
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = environ
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = commandGrace
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("run %s: %w", argv[0], err)
	}
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // whom the command left behind
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return 0, fmt.Errorf("run %s: %w", argv[0], err)
	}
	return exitCode(cmd.ProcessState), nil
}

// exitCode is what a shell would report: a signal counts from 128.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
