package worker_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// TestEveryStrategyReachesItsSteps: the real loop passes the very steps that the explorer's model does,
// from which the matrix, the page and the docs know them.
func TestEveryStrategyReachesItsSteps(t *testing.T) {
	t.Parallel()
	for _, id := range strategy.IDs() {
		b := newBench()
		b.Handle(t.Context(), newMessage(someJob(id)))
		maker, _ := explore.MakerOf(id)
		want := []step.Name{step.BrokerDeliver}
		for _, name := range explore.ProfileOf(maker).Steps {
			want = append(want, step.Name(name))
		}
		got := slices.DeleteFunc(b.trace.names(), func(n step.Name) bool { return n == step.ClaimTaken })
		if diff := cmp.Diff(append(want, step.WorkerSettled), got); diff != "" {
			t.Errorf("steps of %s (-want +got):\n%s", id, diff)
		}
		said, _ := b.trace.last(step.WorkerCharged)
		if said.Detail.Outcome != "charged" || said.Detail.ChargeID != "ch_1" {
			t.Errorf("%s: at the charge the trace says %+v", id, said)
		}
		if said, _ := b.trace.last(step.WorkerReceived); said.Detail.Strategy != id {
			t.Errorf("%s: on receipt the trace says %+v", id, said)
		}
	}
}

func TestALookAtTheBankReachesCheckedToo(t *testing.T) {
	t.Parallel()
	b := newBench()
	job := someJob("seen-set-and-key")
	job.CreatedAt = made.Add(-25 * time.Hour)
	b.Handle(t.Context(), newMessage(job))
	want := []step.Name{
		step.BrokerDeliver, step.WorkerReceived, step.WorkerChecked, step.WorkerChecked, step.WorkerCharging,
		step.WorkerCharged, step.WorkerRecorded, step.WorkerAcked, step.WorkerSettled,
	}
	if diff := cmp.Diff(want, b.trace.names()); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// after is what an injected error makes of a delivery: how it is settled first, and what has happened
// once the message came again, if it did.
type after struct {
	How     string
	Charges int
	Points  int64
}

// TestAnInjectedErrorAtEveryStep lets the fault "error" strike at one step and, where that gives a retry,
// delivers the message again.
func TestAnInjectedErrorAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   step.Name
		want map[string]after
	}{
		{step.WorkerReceived, map[string]after{
			"naive": {"retry", 1, 420}, "seen-set": {"retry", 1, 420}, "seen-set-and-key": {"retry", 1, 420},
		}},
		{step.WorkerChecked, map[string]after{
			"naive": {"ack", 1, 420}, "seen-set": {"retry", 1, 420}, "seen-set-and-key": {"retry", 1, 420},
		}},
		{step.WorkerCharging, map[string]after{
			"naive": {"retry", 1, 420}, "seen-set": {"retry", 1, 420}, "seen-set-and-key": {"retry", 1, 420},
		}},
		{step.WorkerCharged, map[string]after{
			"naive": {"retry", 2, 420}, "seen-set": {"retry", 2, 420}, "seen-set-and-key": {"retry", 1, 420},
		}},
		{step.WorkerApplied, map[string]after{
			"naive": {"retry", 2, 840}, "seen-set": {"retry", 2, 840}, "seen-set-and-key": {"ack", 1, 420},
		}},
		{step.WorkerRecorded, map[string]after{
			"naive": {"ack", 1, 420}, "seen-set": {"retry", 1, 420}, "seen-set-and-key": {"retry", 1, 420},
		}},
		{step.WorkerAcked, map[string]after{
			"naive": {"ack", 1, 420}, "seen-set": {"ack", 1, 420}, "seen-set-and-key": {"ack", 1, 420},
		}},
	} {
		t.Run(string(c.at), func(t *testing.T) {
			t.Parallel()
			for id := range c.want {
				if diff := cmp.Diff(c.want[id], struck(t, id, c.at)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", id, diff)
				}
			}
		})
	}
}

func struck(t *testing.T, id string, at step.Name) after {
	t.Helper()
	b := newBench()
	b.trace.once = at
	m := newMessage(someJob(id))
	b.Handle(t.Context(), m)
	if len(m.settled) != 1 {
		t.Fatalf("%s is settled %d times: %v", id, len(m.settled), m.settled)
	}
	how := m.settled[0].How
	if noted, _ := b.trace.last(step.WorkerSettled); noted.Detail.How != how {
		t.Errorf("%s is settled by %s, and the trace notes %q", id, how, noted.Detail.How)
	}
	if how == "retry" {
		again := newMessage(someJob(id))
		again.attempt = 2
		b.Handle(t.Context(), again)
		wantSettled(t, again, acked)
	}
	if status := b.world.Effects(messageID).Status; status != payments.OrderPaid {
		t.Errorf("%s leaves the order %q", id, status)
	}
	return after{how, b.world.Bank.Charges(messageID), b.world.Effects(messageID).Points}
}
