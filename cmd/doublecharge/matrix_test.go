package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/lab/stack/stacktest"
)

// laboratoryProgram is a command of the program that makes lanes on the shared servers.
func laboratoryProgram(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	servers := stacktest.Servers(t)
	cmd := program(t, args, "DATABASE_URL="+servers.DatabaseURL, "AMQP_URL="+servers.AMQPURL,
		"REDIS_URL="+servers.RedisURL)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	return cmd
}

// matrixOf runs the matrix on some strategies and columns.
func matrixOf(t *testing.T, args ...string) (matrix.Result, error) {
	t.Helper()
	cmd := laboratoryProgram(t, append([]string{"matrix", "--format", "json", "--log-level", "error"}, args...)...)
	var progress strings.Builder
	cmd.Stderr = &progress
	out, err := cmd.Output()
	var result matrix.Result
	if decodeErr := json.Unmarshal(out, &result); decodeErr != nil {
		t.Fatalf("%v: %s\n%s", decodeErr, out, progress.String())
	}
	return result, err
}

// TestASubsetOfTheMatrix has a strategy of each sort and a column of each adversary; make check runs all.
func TestASubsetOfTheMatrix(t *testing.T) { //nolint:paralleltest // It looks for lanes of anybody.
	var args []string
	for _, id := range []string{
		"naive", "mark-first", "claim-lease", "key-only", "seen-set-and-key", "redis-seen-set", "payload-key",
	} {
		args = append(args, "--strategy", id)
	}
	for _, column := range []string{
		"crash:worker.charged", "stripe.response_lost", "two-workers", "redis.flush", "key-forgotten", "lease-end",
		"second-purchase",
	} {
		args = append(args, "--fault", column)
	}
	result, err := matrixOf(t, append(args, "--lanes", "4")...)
	if err != nil {
		t.Error(err)
	}
	for _, cell := range result.Cells {
		if !cell.OK {
			t.Errorf("%s, %s: %s, wrong %v, fired %d, %s", cell.Strategy, cell.Fault, cell.Verdict, cell.Wrong,
				cell.Fired, cell.Error)
		}
	}
	if result.Summary.Cells < 30 || result.Summary.OK != result.Summary.Cells || result.Commit == "" {
		t.Errorf("the summary is %+v, commit %q", result.Summary, result.Commit)
	}
	wantNoLane(t)
}

// TestTheMatrixLeavesNothingHoweverItEnds: by Ctrl-C it cleans up; killed, its processes die with it, and
// whoever takes the lane next wipes what is left.
func TestTheMatrixLeavesNothingHoweverItEnds(t *testing.T) { //nolint:paralleltest // It looks for lanes of anybody.
	for _, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		cmd := laboratoryProgram(t, "matrix", "--log-level", "error", "--lanes", "2")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var children []int
		eventually(t, "two lanes are at work", func() bool {
			children = childrenOf(t, cmd.Process.Pid)
			return len(children) >= 2*5
		})
		if err := cmd.Process.Signal(end); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // It was ended, and says so.
		eventually(t, fmt.Sprintf("after %v all processes are gone", end), func() bool {
			return !slices.ContainsFunc(children, running)
		})
		if end == syscall.SIGINT {
			wantNoLane(t)
		}
	}
	result, err := matrixOf(t, "--strategy", "naive", "--strategy", "seen-set", "--fault", "crash:worker.charged",
		"--lanes", "2")
	if err != nil || result.Summary.OK != 2 {
		t.Errorf("%+v, %v", result.Summary, err)
	}
	wantNoLane(t)
}

// childrenOf lists the processes that a process has started, and those that they have.
func childrenOf(t *testing.T, parent int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("there is no /proc to find a process's children in")
	}
	var children []int
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // It ended meanwhile.
		}
		var pid, ppid int
		var name, state string
		if _, err := fmt.Sscan(string(data), &pid, &name, &state, &ppid); err == nil && ppid == parent {
			children = append(append(children, pid), childrenOf(t, pid)...)
		}
	}
	return children
}

// wantNoLane looks for a schema, a queue or a connection of a lane.
func wantNoLane(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	servers := stacktest.Servers(t)
	conn, err := pgx.Connect(ctx, servers.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	var schemas int
	err = conn.QueryRow(ctx, `SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'lane\_%'`).Scan(&schemas)
	if err != nil || schemas > 0 {
		t.Errorf("%d schemas of lanes are left, %v", schemas, err)
	}
	wantNoSession(ctx, t, conn)
	broker, err := amqp.Dial(servers.AMQPURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = broker.Close() }()
	channel, err := broker.Channel()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := channel.QueueDeclarePassive("lane_1.charge.jobs", true, false, false, false, nil); err == nil {
		t.Error("a queue of a lane is left")
	}
}

// wantNoSession waits until the connections of lanes are gone: the server ends one a moment after its client.
func wantNoSession(ctx context.Context, t *testing.T, conn *pgx.Conn) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for sessions := -1; sessions != 0; <-tick.C {
		err := conn.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
			WHERE application_name LIKE 'doublecharge lane%'`).Scan(&sessions)
		if err != nil {
			t.Fatalf("%d connections of lanes are left, %v", sessions, err)
		}
	}
}

// TestWhatTheCommandsAreAskedForIsChecked before anything is started.
func TestWhatTheCommandsAreAskedForIsChecked(t *testing.T) {
	t.Parallel()
	for _, c := range [][]string{
		{"matrix", "--strategy", "exactly-once"},
		{"matrix", "--fault", "crash:lunch"},
		{"matrix", "--lanes", "0"},
		{"matrix", "--format", "pdf"},
		{"explore", "--strategy", "exactly-once"},
		{"explore", "--crashes", "9"},
		{"explore", "--deliveries", "0"},
		{"explore", "--workers", "3"},
	} {
		var out, said strings.Builder
		if code := run(t.Context(), c, &out, &said); code != exitUsage || !strings.Contains(said.String(), c[1]) {
			t.Errorf("%v: exit %d, %s", c, code, said.String())
		}
	}
}

// TestExploreSaysWhatBreaks, with exit code 0 because unsafe strategies are expected to be unsafe.
func TestExploreSaysWhatBreaks(t *testing.T) {
	t.Parallel()
	var out, said strings.Builder
	if code := run(t.Context(), []string{"explore", "--strategy", "naive"}, &out, &said); code != 0 {
		t.Errorf("exit %d: %s", code, said.String())
	}
	for _, want := range []string{
		"w1:deliver w1:charge w1:crash w1:deliver w1:charge", "✗ killed", "within its deadline",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
}

// TestSchedulesAreReplayedOnRealProcesses: few here, and 200 in make check.
func TestSchedulesAreReplayedOnRealProcesses(t *testing.T) { //nolint:paralleltest // It looks for lanes of anybody.
	cmd := laboratoryProgram(t, "explore", "--log-level", "error", "--replay", "--random", "12",
		"--strategy", "naive", "--strategy", "seen-set-and-key", "--strategy", "claim-lease")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "disagreements: 0") {
		t.Errorf("%v\n%s", err, out)
	}
	wantNoLane(t)
}
