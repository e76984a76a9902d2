package main

import (
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"example.com/doublecharge/lab/stack/stacktest"
)

// walkthroughProgram is a walkthrough that nobody presses a key for, unless it gets a terminal.
func walkthroughProgram(t *testing.T, lab string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := program(t, append([]string{"walkthrough", "--lab", lab, "--pace", "1ms"}, args...), "TERM=xterm")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	return cmd
}

// checkWalk looks at what a whole walk said: the bank's counts, and its width.
func checkWalk(t *testing.T, text string) {
	t.Helper()
	var charges []string
	for _, found := range regexp.MustCompile(`[✓✗] (?:charges|çekim) +(\d)`).FindAllStringSubmatch(text, -1) {
		charges = append(charges, found[1])
	}
	if got := strings.Join(charges, ","); got != "2,0,2,2,1" {
		t.Errorf("the charges are %s:\n%s", got, text)
	}
	if strings.Count(text, "↺") != 1 || strings.Count(text, "SIGKILL ·") != 4 || strings.Contains(text, "\x1b") {
		t.Errorf("the traces are not as they should be:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(line); n > 81 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestTheWalkthroughInAPipe runs straight through on real processes, on a lab that is there.
func TestTheWalkthroughInAPipe(t *testing.T) { //nolint:paralleltest // Other tests look for lanes of anybody.
	d := startDemo(t)
	var said strings.Builder
	cmd := walkthroughProgram(t, d.base, "--lang", "tr")
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil || !strings.Contains(said.String(), "Using the lab at "+d.base) {
		t.Errorf("%v: %s", err, said.String())
	}
	checkWalk(t, string(out))
	if !strings.Contains(string(out), "İki kez çekildi!") || !strings.Contains(string(out), "Bir kez çekildi") {
		t.Errorf("the verdicts are missing:\n%s", out)
	}
	wantNoLane(t)
}

// TestTheWalkthroughBringsItsOwnLab where none answers, and ends it.
func TestTheWalkthroughBringsItsOwnLab(t *testing.T) { //nolint:paralleltest // Other tests look for lanes of anybody.
	var said strings.Builder
	cmd := walkthroughProgram(t, "http://"+freePort(t))
	cmd.Env = append(cmd.Env, ownTables(t)...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil || !strings.Contains(said.String(), "starting one, which ends with the walkthrough") {
		t.Errorf("%v: %s", err, said.String())
	}
	checkWalk(t, string(out))
	page := regexp.MustCompile(`http://127\.0\.0\.1:\d+ and fills`).FindString(said.String())
	if page == "" {
		t.Fatalf("it names no page: %s", said.String())
	}
	if _, _, err := get(t.Context(), strings.Fields(page)[0]); err == nil {
		t.Error("the lab that it started is still there")
	}
	wantNoLane(t)
}

// ownTables are the shared servers, with a schema and queues of its own.
func ownTables(t *testing.T) []string {
	t.Helper()
	name := "t" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	servers := stacktest.Servers(t)
	return []string{
		"DATABASE_SCHEMA=" + name, "QUEUE_PREFIX=" + name + ".", "DATABASE_URL=" + servers.DatabaseURL,
		"AMQP_URL=" + servers.AMQPURL, "REDIS_URL=" + servers.RedisURL,
	}
}
