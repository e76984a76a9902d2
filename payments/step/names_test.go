package step_test

import (
	"encoding/json"
	"slices"
	"testing"

	"example.com/doublecharge/payments/step"
)

// TestStepIDsAreStable: the page, the trace and everybody's notes know the steps by these names.
func TestStepIDsAreStable(t *testing.T) {
	t.Parallel()
	want := []step.Name{
		"api.received", "api.written", "api.committed",
		"relay.claimed", "relay.published", "relay.marked",
		"worker.received", "worker.checked", "worker.charging", "worker.charged", "worker.applied", "worker.recorded",
		"worker.acked", "mail.claimed", "mail.sent", "mail.marked",
	}
	if got := step.Names(); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// TestAChangeSaysOnlyWhatItChanges: what is nil must not be written over what was set.
func TestAChangeSaysOnlyWhatItChanges(t *testing.T) {
	t.Parallel()
	off, zero := false, int64(0)
	data, err := json.Marshal(step.Change{Step: &off, SlowMS: &zero})
	if err != nil || string(data) != `{"slow_ms":0,"step":false}` {
		t.Errorf("got %s, %v", data, err)
	}
}

// TestAnEventLeavesOutWhatItDoesNotKnow keeps the trace readable and its JSON names as they are.
func TestAnEventLeavesOutWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(step.Event{
		ID: 7, Step: step.WorkerCharged, Detail: step.Detail{ChargeID: "ch_1"},
		Process: step.Process{Role: "worker", Number: 1, Start: 2, Instance: 9, PID: 4113},
	})
	want := `{"id":7,"at":"0001-01-01T00:00:00Z","process":{"role":"worker","number":1,"start":2,"instance":9,` +
		`"pid":4113},"step":"worker.charged","detail":{"charge_id":"ch_1"}}`
	if err != nil || string(data) != want {
		t.Errorf("got  %s, %v\nwant %s", data, err, want)
	}
}
