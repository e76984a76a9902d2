package postgres_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// asProcess and inSchema tell a copy of the test binary to be a process of the lab, and where.
const (
	asProcess = "POSTGRES_TEST_AS_PROCESS"
	inSchema  = "POSTGRES_TEST_SCHEMA"
)

// The parts such a process can play.
const (
	crashAtCharged = "crash"
	liveAndWait    = "live"
	claimAndWait   = "claim"
)

// beProcess plays its part and, where the part has no end, says that it is ready and waits for its own.
func beProcess() (code int) {
	ctx := context.Background()
	url, o := os.Getenv("DATABASE_URL"), postgres.Options{Schema: os.Getenv(inSchema), Name: "child"}
	err := play(ctx, os.Getenv(asProcess), url, o)
	if err == nil {
		select {}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func play(ctx context.Context, part, url string, o postgres.Options) error {
	store, err := postgres.Open(ctx, url, o)
	if err != nil {
		return err
	}
	switch part {
	case crashAtCharged:
		probe := step.Probe{Recorder: postgres.NewRecorder(store, step.Process{})}
		return fmt.Errorf("it lives: %w", probe.Reach(ctx, step.WorkerCharged))
	case liveAndWait:
		instance, err := postgres.Join(ctx, url, o, "worker", 1)
		if err != nil {
			return err
		}
		fmt.Println(instance.Instance)
	case claimAndWait:
		batch, err := store.ClaimOutbox(ctx, 10)
		if err != nil {
			return err
		}
		fmt.Println(len(batch.Rows()))
	}
	return nil
}

// child is a process of the lab that a test started.
type child struct {
	cmd *exec.Cmd
	out *bufio.Scanner
}

func startProcess(t *testing.T, schema, part string) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), asProcess+"="+part, inSchema+"="+schema)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd, bufio.NewScanner(stdout)}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return c
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// says gives the number that the process prints when it is ready.
func (c *child) says(t *testing.T) int {
	t.Helper()
	if !c.out.Scan() {
		t.Fatalf("it said nothing: %v", c.out.Err())
	}
	n, err := strconv.Atoi(strings.TrimSpace(c.out.Text()))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// wait gives the state in which the process ended.
func (c *child) wait(t *testing.T) *os.ProcessState {
	t.Helper()
	for c.out.Scan() { // Its output ends when it does.
		t.Log(c.out.Text())
	}
	_ = c.cmd.Wait() // The state says more than the error.
	return c.cmd.ProcessState
}

// kill ends it as a crash does: with SIGKILL.
func (c *child) kill(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.wait(t)
}
