package main

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// TestTheStory is the main job: the same crash between charge and ack, and what each strategy makes of it.
func TestTheStory(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	for _, story := range []struct {
		strategy           string
		verdict            payments.VerdictName
		charges, replayed  int
		allRight           bool
		ledger             string
		pointsGot, receipt int64
	}{
		{"naive", payments.DoubleCharged, 2, 0, false, "missing-charge", 420, 1},
		{"seen-set", payments.DoubleCharged, 2, 0, false, "missing-charge", 420, 1},
		{"seen-set-and-key", payments.ChargedOnce, 1, 1, true, "agrees", 420, 1},
	} {
		d.must(http.MethodPost, "/lab/reset", "", nil)
		d.must(http.MethodPut, "/lab/setup", fmt.Sprintf(`{"settings":{"strategy":%q},"faults":[
			{"point":"worker.charged","action":"crash"}]}`, story.strategy), nil)
		order, err := d.checkout("ayse", uuid.NewString(), coffee)
		if err != nil {
			t.Fatal(err)
		}
		d.quiet()
		v := d.verdict(order.ID)
		if v.Verdict != story.verdict || v.Charges != story.charges || v.Effects.Right() != story.allRight ||
			v.Ledger != story.ledger || v.Deliveries != 2 || v.Requests != 2 || v.Replayed != story.replayed ||
			v.Effects.Points.Got != story.pointsGot || v.Effects.Receipt.Got != story.receipt {
			t.Errorf("%s: unexpected verdict %+v", story.strategy, v)
		}
		checkTwoInstances(t, story.strategy, d.events(order.ID))
	}
}

// checkTwoInstances holds the trace against the story: two starts of the worker, and the broker says
// redelivered to the second only.
func checkTwoInstances(t *testing.T, strategy string, events []step.Event) {
	t.Helper()
	instances := map[int64]bool{}
	var redelivered []bool
	fired := 0
	for _, e := range events {
		if e.Process.Role == "worker" {
			instances[e.Process.Instance] = true
		}
		switch e.Step {
		case step.BrokerDeliver:
			redelivered = append(redelivered, *e.Detail.Redelivered)
		case step.FaultFired:
			fired++
		default: // Other events are not what this looks at.
		}
	}
	if len(instances) != 2 || fired != 1 {
		t.Errorf("%s: got %d worker instances and %d faults fired, want 2 and 1", strategy, len(instances), fired)
	}
	if diff := cmp.Diff([]bool{false, true}, redelivered); diff != "" {
		t.Errorf("%s: redelivered: %s", strategy, diff)
	}
}

// TestACrashAtEveryStep kills the process that reaches a step, each step in turn, with the default
// strategy and a client that asks again with the same key: always one order and one charge.
func TestACrashAtEveryStep(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	for _, name := range step.Names() {
		d.must(http.MethodPost, "/lab/reset", "", nil)
		d.must(http.MethodPost, "/lab/faults", fmt.Sprintf(`{"point":%q,"action":"crash"}`, name), nil)
		order, err := d.checkout("ayse", uuid.NewString(), coffee)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d.quiet()
		var list struct{ Orders []payments.Order }
		header := http.Header{"Authorization": {"Bearer ck_demo_ayse"}}
		if _, err := d.send(http.MethodGet, "/v1/orders", "", header, &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Orders) != 1 || list.Orders[0].ID != order.ID {
			t.Errorf("%s: got %d orders, want the one that was answered", name, len(list.Orders))
		}
		checkOnce(t, name, d.verdict(order.ID))
		// The default strategy writes mark and effects together, so it never passes applied.
		if armed := len(d.state().Faults); (armed == 0) == (name == step.WorkerApplied) {
			t.Errorf("%s: %d faults are still armed", name, armed)
		}
	}
}

func checkOnce(t *testing.T, name step.Name, v payments.Verdict) {
	t.Helper()
	receipts := int64(1)
	if name == step.MailSent {
		receipts = 2 // At least once: the post office takes no key.
	}
	e := v.Effects
	if v.Verdict != payments.ChargedOnce || v.Ledger != "agrees" || !e.Status.OK || !e.Points.OK ||
		e.Receipt.Got != receipts {
		t.Errorf("%s: unexpected verdict %+v", name, v)
	}
}
