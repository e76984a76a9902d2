package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// demoUnderTest is a running demo on the shared servers, with tables and queues of its own.
type demoUnderTest struct {
	t    *testing.T
	base string
}

// startDemo runs the real command and waits for its box.
func startDemo(t *testing.T, args ...string) *demoUnderTest {
	t.Helper()
	servers := stacktest.Servers(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := "t" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	args = append([]string{"demo", "--addr", "127.0.0.1:0", "--schema", name, "--log-level", "warn"}, args...)
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "DATABASE_URL="+servers.DatabaseURL,
		"AMQP_URL="+servers.AMQPURL, "QUEUE_PREFIX="+name+".", "GORACE=atexit_sleep_ms=0")
	var log bytes.Buffer
	cmd.Stderr = &log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d := &demoUnderTest{t: t, base: readBox(out)}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("the demo ended with %v", err)
		}
		if t.Failed() {
			t.Logf("log of the demo:\n%s", log.String())
		}
	})
	if d.base == "" {
		t.Fatal("the demo printed no address")
	}
	return d
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
func (d *demoUnderTest) send(method, path, body string, header http.Header, into any) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, d.base+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err == nil && into != nil && response.StatusCode < 300 {
		err = json.Unmarshal(data, into)
	}
	if response.StatusCode >= 400 {
		response.Status += " " + string(data)
	}
	return response, err
}

// must sends a request to the lab that has to succeed.
func (d *demoUnderTest) must(method, path, body string, into any) {
	d.t.Helper()
	response, err := d.send(method, path, body, nil, into)
	if err != nil {
		d.t.Fatalf("%s %s: %v", method, path, err)
	}
	if response.StatusCode >= 300 {
		d.t.Fatalf("%s %s: %s", method, path, response.Status)
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
		response, err := d.send(http.MethodPost, "/v1/checkouts", body, header, &order)
		switch {
		case err != nil:
			last = err.Error()
		case response.StatusCode == http.StatusAccepted:
			return order, nil
		case response.StatusCode < 500 && response.StatusCode != http.StatusConflict:
			return order, fmt.Errorf("checkout: %s", response.Status)
		default:
			last = response.Status
		}
	}
	return payments.Order{}, fmt.Errorf("no answer to the checkout in time: %s", last)
}

func (d *demoUnderTest) quiet() {
	d.t.Helper()
	d.must(http.MethodGet, "/lab/wait?quiet=1&timeout=25s", "", nil)
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
