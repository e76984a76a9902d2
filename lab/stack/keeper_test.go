package stack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack"
)

// owner is a process that starts servers, tells its folder, and stays until it is killed.
func owner(ctx context.Context) error {
	keeper, err := stack.Keep(ctx, []string{os.Args[0], asKeeper})
	if err != nil {
		return err
	}
	kinds := []stack.Kind{stack.Postgres(true), stack.Redis()}
	if os.Args[2] == "all" {
		kinds = append(kinds, stack.RabbitMQ())
	}
	s, err := stack.New(ctx, stack.Config{Kinds: kinds, Keeper: keeper, Getenv: nothingGiven})
	if err != nil {
		return err
	}
	if err := s.Start(ctx); err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(s.Folder()); err != nil {
		return err
	}
	select {}
}

// TestKeeperAfterSIGKILL kills the owner of running servers, which gives it no chance to clean up.
func TestKeeperAfterSIGKILL(t *testing.T) {
	t.Parallel()
	newStack(t, stack.Config{}) // skips where there is nothing to start
	which := "all"
	if testing.Short() {
		which = "small"
	}
	cmd := playing(t.Context(), asOwner, which)
	var folder string
	if err := json.Unmarshal([]byte(readLine(t, launch(t, cmd))), &folder); err != nil {
		t.Fatal(err)
	}
	kill(t, cmd)
	took := eventually(t, 20*time.Second, "processes and folder are gone", func() bool {
		return len(usersOf(folder)) == 0 && !exists(folder)
	})
	t.Log("cleaned up in", took.Round(time.Millisecond))
}

// TestKeeperSparesTheRecycled gives the keeper the pid of a process that started at another time.
func TestKeeperSparesTheRecycled(t *testing.T) {
	t.Parallel()
	innocent := exec.CommandContext(t.Context(), "cat")
	innocent.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := innocent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := launch(t, innocent)
	line, err := json.Marshal(stack.Leftover{Group: innocent.Process.Pid, Since: "long ago"})
	if err != nil {
		t.Fatal(err)
	}
	if err := stack.RunKeeper(t.Context(), bytes.NewReader(line)); err != nil {
		t.Fatal(err)
	}
	if _, err := stdin.Write([]byte("alive\n")); err != nil {
		t.Fatal(err)
	}
	if got := readLine(t, stdout); got != "alive" {
		t.Errorf("the keeper killed somebody else: got %q", got)
	}
}
