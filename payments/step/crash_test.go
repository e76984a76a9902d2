package step_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"example.com/doublecharge/payments/step"
)

// crashVariable makes this test binary a process that crashes.
const crashVariable = "STEP_TEST_CRASH"

func TestMain(m *testing.M) {
	if os.Getenv(crashVariable) == "" {
		os.Exit(m.Run())
	}
	defer fmt.Println("deferred") // A crash runs no deferred call.
	fmt.Println("before")
	probe := step.Probe{Recorder: &recorder{strike: step.Strike{Action: step.Crash}}}
	fmt.Println("after:", probe.Reach(context.Background(), step.WorkerCharged))
}

// child is this test binary as a process that crashes.
func child(t *testing.T) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), crashVariable+"=1")
	return cmd
}

func TestACrashKillsTheProcessInTheMidstOfIt(t *testing.T) {
	t.Parallel()
	out, err := child(t).Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("the process did not die: %v", err)
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		t.Errorf("it ended with %v, want SIGKILL", exit)
	}
	if string(out) != "before\n" {
		t.Errorf("it said %q, want nothing after the crash", out)
	}
}
