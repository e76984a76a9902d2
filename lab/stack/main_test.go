package stack_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack"
)

// These are the parts that this test binary plays when it is started again as another process.
const (
	asKeeper     = "keeper"
	asOwner      = "owner"
	asSupervisor = "supervisor"
	asChild      = "child"
	asCrasher    = "crasher"
	asBroken     = "broken"
	asStubborn   = "stubborn"
	asMiddle     = "middle"
	asWatcher    = "watcher"
	asRunWith    = "run-with"
)

func TestMain(m *testing.M) {
	ctx := context.Background()
	parts := map[string]func(context.Context) error{
		asKeeper:     func(ctx context.Context) error { return stack.RunKeeper(ctx, os.Stdin) },
		asOwner:      owner,
		asSupervisor: supervise,
		asChild:      child,
		asCrasher:    func(context.Context) error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) },
		asBroken:     func(context.Context) error { return errors.New("broken settings") },
		asStubborn:   stubborn,
		asMiddle:     middle,
		asWatcher:    watcher,
		asRunWith:    runWith,
	}
	maps.Copy(parts, platformParts())
	if len(os.Args) > 1 && parts[os.Args[1]] != nil {
		if err := parts[os.Args[1]](ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	stack.WatchParent(ctx, func() { os.Exit(1) })
	os.Exit(m.Run())
}

// playing is a command that runs this binary in one of its parts.
func playing(ctx context.Context, part string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{part}, args...)...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // the race detector delays each exit by a second
	return cmd
}

// launch starts a part whose standard output the test reads. The output ends when the part and all
// that inherited it have ended.
func launch(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	output, input, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = input, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := input.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = output.Close()
	})
	if err := output.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(output)
}

func readLine(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	line, err := from.ReadString('\n')
	if err != nil {
		t.Fatalf("read a line: %v", err)
	}
	return strings.TrimSpace(line)
}

// awaitEnd reads until nobody holds the other end any more, and tells how long that took.
func awaitEnd(t *testing.T, from io.Reader) time.Duration {
	t.Helper()
	begun := time.Now()
	if _, err := io.Copy(io.Discard, from); err != nil {
		t.Fatalf("processes are still alive: %v", err)
	}
	return time.Since(begun)
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

// exitCode waits for the end of a process.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

// eventually asks until the answer is yes.
func eventually(t *testing.T, limit time.Duration, what string, ask func() bool) time.Duration {
	t.Helper()
	begun := time.Now()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for !ask() {
		if time.Since(begun) > limit {
			t.Fatalf("not within %v: %s", limit, what)
		}
		<-ticker.C
	}
	return time.Since(begun)
}

// alive tells whether a process runs; a zombie does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}

// usersOf lists the processes that have the folder in their arguments, environment or place. It
// needs /proc, and finds nobody without.
func usersOf(folder string) []string {
	var users []string
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	for _, process := range processes {
		arguments, _ := os.ReadFile(filepath.Join(process, "cmdline"))
		environment, _ := os.ReadFile(filepath.Join(process, "environ"))
		place, _ := os.Readlink(filepath.Join(process, "cwd"))
		if strings.Contains(string(arguments)+string(environment)+place, folder) {
			users = append(users, filepath.Base(process)+" "+strings.ReplaceAll(string(arguments), "\x00", " "))
		}
	}
	return users
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// untilTerminated is a context that ends with SIGTERM or with the lifeline.
func untilTerminated(ctx context.Context) (context.Context, error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	return ctx, stack.WatchLifeline(ctx, stop)
}
