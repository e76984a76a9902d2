package stack_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"example.com/doublecharge/lab/stack"
)

// middle starts a watcher and waits for it, until it is killed.
func middle(ctx context.Context) error {
	cmd := playing(ctx, asWatcher)
	cmd.Stdout = os.Stdout
	return cmd.Run()
}

// watcher ends when its parent has died.
func watcher(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	stack.WatchParent(ctx, cancel)
	fmt.Println("watching")
	<-ctx.Done()
	return nil
}

func TestWatchParent(t *testing.T) {
	t.Parallel()
	cmd := playing(t.Context(), asMiddle)
	output := launch(t, cmd)
	readLine(t, output)
	kill(t, cmd)
	t.Log("noticed after", awaitEnd(t, output))
}

// runWith runs the command in our arguments with Redis, and leaves with its exit code.
func runWith(ctx context.Context) error {
	keeper, err := stack.Keep(ctx, []string{os.Args[0], asKeeper})
	if err != nil {
		return err
	}
	s, err := stack.New(ctx, stack.Config{Kinds: []stack.Kind{stack.Redis()}, Keeper: keeper, Getenv: nothingGiven})
	if err != nil {
		return err
	}
	code, err := stack.RunWith(ctx, s, os.Args[2:])
	if err != nil {
		return err
	}
	os.Exit(code)
	return nil
}

// TestRunWith runs a command that leaves a process behind.
func TestRunWith(t *testing.T) {
	t.Parallel()
	newStack(t, stack.Config{Kinds: []stack.Kind{stack.Redis()}}) // skips where there is no Redis
	cmd := playing(t.Context(), asRunWith, "sh", "-c", `sleep 1000 & echo $REDIS_URL; exit 7`)
	output := launch(t, cmd)
	if url := readLine(t, output); !strings.HasPrefix(url, "redis://127.0.0.1:") {
		t.Errorf("REDIS_URL is %q", url)
	}
	awaitEnd(t, output) // of all that the command started
	if code := exitCode(t, cmd); code != 7 {
		t.Errorf("exit code %d, want the command's 7", code)
	}
}

// TestRunWithOrphaned kills the parent of RunWith, which ends a command that would have gone on for
// good, and all that the command started.
func TestRunWithOrphaned(t *testing.T) {
	t.Parallel()
	newStack(t, stack.Config{Kinds: []stack.Kind{stack.Redis()}}) // skips where there is no Redis
	cmd := exec.CommandContext(t.Context(), "sh", "-c",
		os.Args[0]+" "+asRunWith+` sh -c 'sleep 1000 & echo running; wait'; true`)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	output := launch(t, cmd)
	readLine(t, output)
	kill(t, cmd)
	t.Log("all gone after", awaitEnd(t, output))
}
