package step_test

import (
	"bytes"
	"os"
	"syscall"
	"testing"
)

// TestProcessOneIsLeftAlone: the kernel protects process 1 from its own signal, so it says so and goes on.
func TestProcessOneIsLeftAlone(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("skipped: a new pid namespace needs root")
	}
	cmd := child(t)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Skip("skipped: no new pid namespace here: ", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("process 1: %v", err)
	}
	if want := "before\nafter: PID 1 cannot crash itself\ndeferred\n"; out.String() != want {
		t.Errorf("process 1 said %q, want %q", out.String(), want)
	}
}
