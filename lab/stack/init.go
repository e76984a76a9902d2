package stack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// Init runs argv as a child and does what is asked of the first process of a container: it forwards
// SIGTERM and SIGINT, waits for orphans, and returns the child's exit code, or 128 plus the signal
// that killed it, as a shell does.
//
// The kernel protects process 1 even from its own SIGKILL. So a program that must be able to crash
// starts itself again as soon as it finds itself in that place:
//
//	if os.Getpid() == 1 {
//		code, err := stack.Init(os.Args)
//	}
func Init(argv []string) (code int, err error) {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return 0, fmt.Errorf("find ourselves: %w", err)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT) // before the child exists, so that none is lost
	defer close(signals)
	defer signal.Stop(signals)
	// Not os/exec: its Wait and our waiting for everybody would take each other's children away.
	attributes := &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 1, 2}}
	child, err := syscall.ForkExec(path, argv, attributes) //nolint:gosec // ourselves
	if err != nil {
		return 0, fmt.Errorf("start ourselves again: %w", err)
	}
	go forward(signals, child)
	return reap(child)
}

func forward(signals <-chan os.Signal, child int) {
	for received := range signals {
		if number, ok := received.(syscall.Signal); ok {
			_ = syscall.Kill(child, number)
		}
	}
}

// reap waits for whoever dies, orphans too, until it is the child.
func reap(child int) (code int, err error) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 0, fmt.Errorf("wait for children: %w", err)
		case pid == child && status.Signaled():
			return 128 + int(status.Signal()), nil
		case pid == child:
			return status.ExitStatus(), nil
		}
	}
}
