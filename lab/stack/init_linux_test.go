package stack_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack"
)

const asFirst = "first"

func platformParts() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{asFirst: first}
}

// first is what main does in a container: whoever is process 1 starts itself again, and the child can
// crash. Elsewhere orphans are made to come to us, as they come to process 1.
func first(context.Context) error {
	argv := os.Args[2:]
	if len(argv) == 0 {
		argv = os.Args
		if os.Getpid() != 1 {
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	} else {
		const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
		if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); errno != 0 {
			return errno
		}
	}
	code, err := stack.Init(argv)
	if err != nil {
		return err
	}
	os.Exit(code)
	return nil
}

// TestInitReapsOrphans makes an orphan that dies at once, and sees that not even a zombie remains
// while the child itself lives on.
func TestInitReapsOrphans(t *testing.T) {
	t.Parallel()
	cmd := playing(t.Context(), asFirst, "sh", "-c", `sh -c 'true & echo $!'; read line; exit 5`)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output := launch(t, cmd)
	orphan, err := strconv.Atoi(readLine(t, output))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, 10*time.Second, "the orphan is reaped", func() bool {
		return errors.Is(syscall.Kill(orphan, 0), syscall.ESRCH)
	})
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd); code != 5 {
		t.Errorf("exit code %d, want the child's 5", code)
	}
}

func TestInitForwardsSignals(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := playing(ctx, asFirst, "sh", "-c", `trap 'exit 9' TERM; echo ready; read line`)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	readLine(t, launch(t, cmd))
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd); code != 9 {
		t.Errorf("exit code %d, want the 9 of the child's handler", code)
	}
}

// TestProcessOneCanCrash runs us as process 1 of a new pid namespace, as in a container.
func TestProcessOneCanCrash(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("skipped: a new pid namespace needs root")
	}
	cmd := playing(t.Context(), asFirst)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	if err := cmd.Start(); err != nil {
		t.Skip("skipped: no new pid namespace here: ", err)
	}
	if code := exitCode(t, cmd); code != 128+int(syscall.SIGKILL) {
		t.Errorf("exit code %d, want 137: a child that killed itself", code)
	}
}
