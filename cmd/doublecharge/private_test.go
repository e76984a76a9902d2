package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments/step"
)

// TestAKilledDemoLeavesNothing kills a demo that started its own servers as hard as can be: no process
// of any role, no server and no folder stays behind.
func TestAKilledDemoLeavesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers of its own, which takes ten seconds: not in -short")
	}
	if _, found := stack.FindInstalled("rabbitmq-server"); !found {
		t.Skip("no RabbitMQ is installed here: make servers installs it")
	}
	folder, err := os.MkdirTemp("", "killed") //nolint:usetesting // PostgreSQL's own user must get there.
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", folder)
	d := launch(t, stacktest.Addresses{})
	eventually(t, "there is one process of each role", func() bool { return len(d.state().Processes) == 5 })
	pids := []int{}
	for _, process := range d.state().Processes {
		pids = append(pids, process.PID)
	}
	checkServersShown(t, d.state())
	if err := d.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = d.cmd.Wait() // It was killed, and says so.
	eventually(t, "all processes are gone", func() bool {
		return !slices.ContainsFunc(pids, running)
	})
	eventually(t, "the folder is empty", func() bool {
		left, err := filepath.Glob(folder + "/doublecharge-*")
		return err == nil && len(left) == 0
	})
}

// running says whether a process still runs. One that ended stays in the process table as a zombie,
// without a command line, until its parent asks; in a container that may be never.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err != nil || len(command) > 0
}

// checkServersShown: the lab shows the addresses of servers that the demo started itself.
func checkServersShown(t *testing.T, state step.State) {
	t.Helper()
	servers := state.Servers
	if !strings.HasPrefix(servers.Database, "postgres") || !strings.HasPrefix(servers.AMQP, "amqp") ||
		!strings.HasPrefix(servers.Redis, "redis") {
		t.Errorf("the demo's own servers are not shown: %+v", servers)
	}
}

// TestThePageIsServedBeforeTheDatabase asks for the page and for what is missing.
func TestThePageIsServedBeforeTheDatabase(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	nobody := []string{"DATABASE_URL=postgres://127.0.0.1:1/none", "AMQP_URL=amqp://127.0.0.1:1/"}
	begin(t, program(t, []string{"api", "--addr", port}, nobody...))
	d := &demoUnderTest{t: t, base: "http://" + port}
	eventually(t, "the page is there", func() bool {
		got, err := d.send(http.MethodGet, "/", "", nil, nil)
		return err == nil && got.status == http.StatusOK
	})
	got, err := d.send(http.MethodGet, "/readyz", "", nil, nil)
	missing := `"name":"database","ready":false`
	if err != nil || got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, missing) {
		t.Errorf("readyz before the database is up: %s %v", got, err)
	}
}

// freePort is an address that nobody has just now.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// eventually waits for something that must come true soon.
func eventually(t *testing.T, what string, true func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); <-tick.C {
		if true() {
			return
		}
	}
	t.Errorf("not in time: %s", what)
}
