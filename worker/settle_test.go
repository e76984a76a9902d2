package worker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
	"example.com/doublecharge/worker/strategy/strategytest"
)

var (
	acked    = []settlement{{How: "ack"}}
	hopeless = []settlement{{How: "dead-letter", Reason: "hopeless"}}
	retried  = []settlement{{How: "retry", Delay: time.Second}}
)

func TestADeliveryIsSettledByWhatItsStrategySays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		want []settlement
	}{
		{"done is acked", nil, acked},
		{"already done is acked", fmt.Errorf("the mark: %w", payments.ErrAlreadyDone), acked},
		{"unknown is retried", fmt.Errorf("the bank: %w", payments.ErrUnknown), retried},
		{"unavailable is retried", payments.ErrUnavailable, retried},
		{"an error that nobody knows is retried", errors.New("odd"), retried},
		{"hopeless is dead-lettered", fmt.Errorf("no such card: %w", payments.ErrHopeless), hopeless},
		{"invalid is dead-lettered", payments.InvalidField("card", "no such card"), hopeless},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench()
			b.instead(func(context.Context, strategy.Delivery) error { return c.err })
			m := newMessage(someJob("naive"))
			b.Handle(t.Context(), m)
			wantSettled(t, m, c.want)
			noted, about := b.trace.last(step.WorkerSettled)
			want := step.Subject{OrderID: orderID, MessageID: messageID, Account: "ayse", Delivery: 1}
			if noted.Detail.How != c.want[0].How || about != want {
				t.Errorf("the trace notes %+v of %+v", noted, about)
			}
		})
	}
}

func TestADeclineIsRecordedAndAcked(t *testing.T) {
	t.Parallel()
	for _, id := range strategy.IDs() {
		b := newBench()
		b.world.Bank.Have(strategytest.Trouble{Declines: true})
		m := newMessage(someJob(id))
		b.Handle(t.Context(), m)
		wantSettled(t, m, acked)
		if effects := b.world.Effects(messageID); effects.Status != payments.OrderFailed || effects.Points != 0 {
			t.Errorf("%s leaves %+v", id, effects)
		}
		if said, _ := b.trace.last(step.WorkerCharged); said.Detail.Outcome != "declined" {
			t.Errorf("%s: the trace says %+v", id, said)
		}
	}
}

func TestAnUnknownOutcomeIsRetriedOncePerDelayAndThenDeadLettered(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.world.Bank.Have(strategytest.Trouble{Down: true})
	m := newMessage(someJob("seen-set-and-key"))
	for m.attempt = 1; m.attempt <= 4; m.attempt++ {
		b.Handle(t.Context(), m)
		noted, _ := b.trace.last(step.WorkerSettled)
		if d := noted.Detail; m.attempt == 2 && (d.How != "retry" || d.Queue != "retry.2s" || d.DueAt == nil ||
			!strings.Contains(d.Reason, payments.ErrUnknown.Error())) {
			t.Errorf("the trace notes %+v", d)
		}
	}
	wantSettled(t, m, []settlement{
		{How: "retry", Delay: time.Second},
		{How: "retry", Delay: 2 * time.Second},
		{How: "retry", Delay: 10 * time.Second},
		{How: "dead-letter", Reason: "retries-exhausted"},
	})
	noted, _ := b.trace.last(step.WorkerSettled)
	if noted.Detail.How != "dead-letter" || noted.Detail.Reason != "retries-exhausted" {
		t.Errorf("the trace notes %+v", noted)
	}
}

func TestWithoutDelaysTheFirstUnknownIsTheLast(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.Delays = func(context.Context) []time.Duration { return nil }
	b.world.Bank.Have(strategytest.Trouble{Down: true})
	m := newMessage(someJob("naive"))
	b.Handle(t.Context(), m)
	wantSettled(t, m, []settlement{{How: "dead-letter", Reason: "retries-exhausted"}})
}

func TestAMessageThatCanNeverWorkIsDeadLettered(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*message){
		"no message id":           func(m *message) { m.id = "" },
		"no body":                 func(m *message) { m.body = nil },
		"not JSON":                func(m *message) { m.body = []byte("charge me") },
		"a body of another type":  func(m *message) { m.body = []byte(`["charge"]`) },
		"null":                    func(m *message) { m.body = []byte(`null`) },
		"an id that is not its":   func(m *message) { m.id = orderID },
		"an amount below one":     replace(`"amount":42000`, `"amount":0`),
		"an amount in text":       replace(`"amount":42000`, `"amount":"42000"`),
		"a strange currency":      replace(`"currency":"try"`, `"currency":"xau"`),
		"no order":                replace(orderID, ""),
		"an unknown strategy":     replace("naive", "hope"),
		"no strategy":             replace("naive", ""),
		"it came back too often":  func(m *message) { m.returns = 11 },
		"it came back very often": func(m *message) { m.returns = 1000 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench()
			m := newMessage(someJob("naive"))
			spoil(m)
			b.Handle(t.Context(), m)
			wantSettled(t, m, hopeless)
			wantNoCall(t, b)
			noted, _ := b.trace.last(step.WorkerSettled)
			if noted.Detail.How != "dead-letter" || noted.Detail.Reason == "" {
				t.Errorf("the trace notes %+v", noted)
			}
		})
	}
}

func replace(old, with string) func(*message) {
	return func(m *message) {
		changed := strings.ReplaceAll(string(m.body), old, with)
		if changed == string(m.body) {
			panic("the body has no " + old)
		}
		m.body = []byte(changed)
	}
}

func TestAMessageMayComeBackTenTimes(t *testing.T) {
	t.Parallel()
	b := newBench()
	m := newMessage(someJob("naive"))
	m.returns = 10
	b.Handle(t.Context(), m)
	wantSettled(t, m, acked)
}

func TestAMessageWhoseDeliveryCannotBeCountedIsNotCharged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		want []settlement
	}{
		{"its attempt is gone", payments.ErrNotFound, acked},
		{"its id is not an id", fmt.Errorf("%w: not a UUID", payments.ErrInvalid), hopeless},
		{"something else", errors.New("odd"), retried},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench()
			b.Attempts = &attempts{err: c.err}
			m := newMessage(someJob("naive"))
			b.Handle(t.Context(), m)
			wantSettled(t, m, c.want)
			wantNoCall(t, b)
		})
	}
}

// TestAnOutageOfOursCostsNoRetry: the message stays in hand, un-acked, until the database is back.
func TestAnOutageOfOursCostsNoRetry(t *testing.T) {
	t.Parallel()
	b := newBench()
	away := &attempts{err: payments.ErrUnavailable, until: 3}
	b.Attempts = away
	m := newMessage(someJob("naive"))
	b.Handle(t.Context(), m)
	wantSettled(t, m, acked)
	if away.n != 4 {
		t.Errorf("the delivery was counted at try %d, want 4", away.n)
	}
}

func TestTheStrategySeesTheDeliveryAsItIs(t *testing.T) {
	t.Parallel()
	b := newBench()
	job := someJob("naive")
	m := newMessage(job)
	m.redelivered = true
	seen := false
	b.instead(func(_ context.Context, d strategy.Delivery) error {
		seen = true
		if diff := cmp.Diff(job, d.Job()); diff != "" {
			t.Error(diff)
		}
		if !d.Redelivered() || d.Age() != time.Minute {
			t.Errorf("redelivered %v, age %v", d.Redelivered(), d.Age())
		}
		return nil
	})
	b.Handle(t.Context(), m)
	b.Handle(t.Context(), m)
	if !seen {
		t.Error("the strategy was never asked")
	}
	deliver, about := b.trace.last(step.BrokerDeliver)
	again := deliver.Detail.Redelivered
	if about.Delivery != 2 || again == nil || !*again || deliver.Detail.Key != messageID {
		t.Errorf("the trace has %+v", deliver)
	}
}

func wantSettled(t *testing.T, m *message, want []settlement) {
	t.Helper()
	if diff := cmp.Diff(want, m.settled); diff != "" {
		t.Errorf("settled (-want +got):\n%s", diff)
	}
}

func wantNoCall(t *testing.T, b *bench) {
	t.Helper()
	if calls := b.world.Bank.Calls(); len(calls) > 0 {
		t.Errorf("the bank was called: %v", calls)
	}
}
