package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// demoUnderTest is a running demo.
type demoUnderTest struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
}

// startDemo runs the demo on the shared servers, with tables and queues of its own, until it is ready.
func startDemo(t *testing.T, args ...string) *demoUnderTest {
	t.Helper()
	return launch(t, stacktest.Servers(t), args...)
}

// launch runs the demo, with a schema and queues of its own, and waits for its box. It starts the servers
// that have no address.
func launch(t *testing.T, servers stacktest.Addresses, args ...string) *demoUnderTest {
	t.Helper()
	name := "t" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	args = append([]string{"demo", "--addr", "127.0.0.1:0", "--schema", name, "--log-level", "warn"}, args...)
	cmd := program(t, args, "QUEUE_PREFIX="+name+".", "DATABASE_URL="+servers.DatabaseURL,
		"AMQP_URL="+servers.AMQPURL, "REDIS_URL="+servers.RedisURL)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin(t, cmd)
	d := &demoUnderTest{t: t, cmd: cmd, base: readBox(out)}
	if d.base == "" {
		t.Fatal("the demo printed no address")
	}
	return d
}

// program is the program as it ships.
func program(t *testing.T, args []string, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0"), env...)
	return cmd
}

// begin starts the command, and at the end of the test stops it and shows its log if the test failed.
func begin(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var log bytes.Buffer
	cmd.Stderr = &log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if cmd.ProcessState == nil {
			_ = cmd.Wait()
		}
		if !cmd.ProcessState.Success() && !killed(cmd.ProcessState) {
			t.Errorf("the demo ended with %v", cmd.ProcessState)
		}
		if t.Failed() {
			t.Logf("log of the demo:\n%s", log.String())
		}
	})
}

// killed says whether a test killed the process on purpose.
func killed(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signal() == syscall.SIGKILL
}

// readBox reads the address from the box that the demo prints when it is ready.
func readBox(out io.Reader) string {
	address := regexp.MustCompile(`Ready: (http://\S+)`)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := address.FindStringSubmatch(lines.Text()); found != nil {
			return found[1]
		}
	}
	return ""
}

// send sends a request and decodes a JSON answer into the value, unless that is nil.
func (d *demoUnderTest) send(method, path, body string, header http.Header, into any) (answer, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, d.base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	maps.Copy(request.Header, header)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err == nil && into != nil && response.StatusCode < 300 {
		err = json.Unmarshal(data, into)
	}
	return answer{response.StatusCode, string(data)}, err
}

// answer is what came back: the status, and the body as it is.
type answer struct {
	status int
	body   string
}

func (a answer) String() string { return fmt.Sprintf("%d %s", a.status, a.body) }

// must sends a request to the lab that has to succeed.
func (d *demoUnderTest) must(method, path, body string, into any) {
	d.t.Helper()
	got, err := d.send(method, path, body, nil, into)
	if err != nil || got.status >= 300 {
		d.t.Fatalf("%s %s: %s %v", method, path, got, err)
	}
}

const coffee = `{"currency":"try","items":[{"sku":"filter-coffee","quantity":1}],"payment_method":"pm_card_visa"}`

// checkout buys, and keeps asking with the same key until there is an answer, as a good client does.
func (d *demoUnderTest) checkout(account, key, body string) (payments.Order, error) {
	header := http.Header{"Authorization": {"Bearer ck_demo_" + account}, "Idempotency-Key": {key}}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	last := ""
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); <-tick.C {
		var order payments.Order
		got, err := d.send(http.MethodPost, "/v1/checkouts", body, header, &order)
		switch {
		case err != nil:
			last = err.Error()
		case got.status == http.StatusAccepted:
			return order, nil
		case got.status < 500 && got.status != http.StatusConflict:
			return order, fmt.Errorf("checkout: %s", got)
		default:
			last = got.String()
		}
	}
	return payments.Order{}, fmt.Errorf("no answer to the checkout in time: %s", last)
}

// quiet waits until nothing is on its way, and tells what still is if that does not come.
func (d *demoUnderTest) quiet() {
	d.t.Helper()
	got, err := d.send(http.MethodGet, "/lab/wait?quiet=1&timeout=25s", "", nil, nil)
	if err != nil || got.status != http.StatusOK {
		d.t.Fatalf("not quiet: %s %v; the lab's state: %+v", got, err, d.state())
	}
}

func (d *demoUnderTest) verdict(orderID string) payments.Verdict {
	d.t.Helper()
	var verdict payments.Verdict
	d.must(http.MethodGet, "/lab/orders/"+orderID+"/verdict", "", &verdict)
	return verdict
}

func (d *demoUnderTest) state() step.State {
	d.t.Helper()
	var state step.State
	d.must(http.MethodGet, "/lab/state", "", &state)
	return state
}

func (d *demoUnderTest) events(orderID string) []step.Event {
	d.t.Helper()
	var trace struct{ Events []step.Event }
	d.must(http.MethodGet, "/lab/orders/"+orderID+"/events", "", &trace)
	return trace.Events
}
