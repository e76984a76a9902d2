package outbox_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/outbox"
	"example.com/doublecharge/payments/step"
)

// inAnyOrder compares lists whose order does not matter.
var inAnyOrder = cmpopts.SortSlices(func(a, b string) bool { return a < b })

// hanging is a recorder that keeps whoever reaches a step there until its context ends.
type hanging struct {
	at      step.Name
	reached chan struct{}
}

func (h *hanging) Record(_ context.Context, name step.Name, _ step.Detail, _ ...step.Name) (step.Strike, error) {
	if name != h.at {
		return step.Strike{}, nil
	}
	h.reached <- struct{}{}
	return step.Strike{Action: step.Hang, Duration: step.MaxWait}, nil
}

func (h *hanging) Await(context.Context, int64) error { return nil }

// publisherFunc stands between the relay and its publisher.
type publisherFunc func(context.Context, []payments.Message) []error

func (f publisherFunc) PublishJobs(ctx context.Context, messages []payments.Message) []error {
	return f(ctx, messages)
}

func TestMoreThanABatchGoesOutWithoutWaitingForThePoll(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bought := b.buy(2*outbox.BatchSize + 1)
	stop := b.run(func(r *outbox.Relay) { r.Poll = never })
	b.allSent()
	stop()
	if diff := cmp.Diff(sent(bought), b.rows(t.Context())); diff != "" {
		t.Error(diff)
	}
	messages := b.published()
	if len(messages) != len(bought) {
		t.Fatalf("%d messages went out, want %d", len(messages), len(bought))
	}
	for i, message := range messages {
		var job payments.ChargeJob
		if err := json.Unmarshal(message.Body, &job); err != nil {
			t.Fatal(err)
		}
		if message.MessageId != bought[i] || job.MessageID != bought[i] {
			t.Errorf("message %d is %s and carries the job %s, want %s", i, message.MessageId, job.MessageID, bought[i])
		}
	}
}

func TestABrokerThatComesBackGetsWhatWaited(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	before := b.buy(1)
	stop := b.run(nil)
	b.allSent()
	b.proxy.setDown(true)
	during := b.buy(2)
	eventually(t, "both were tried twice", func(ctx context.Context) (bool, error) {
		list := b.rows(ctx)
		return list[1].Attempts > 1 && list[2].Attempts > 1, nil
	})
	for _, r := range b.rows(t.Context())[1:] {
		if r.Sent || r.Error == "" {
			t.Errorf("while the broker is away: %+v", r)
		}
	}
	b.proxy.setDown(false)
	b.allSent()
	stop()
	// A cut hits no confirm here, so that nothing goes out twice either.
	if diff := cmp.Diff(append(before, during...), b.ids()); diff != "" {
		t.Error(diff)
	}
}

func TestALowerIDThatCommitsLateGoesOutToo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.buy(1)
	b.run(nil)
	b.allSent()
	slow, err := b.store.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := slow.Exec(t.Context(), `INSERT INTO outbox (message_id) VALUES ($1)`, first[0]); err != nil {
		t.Fatal(err)
	}
	higher := b.buy(1)
	eventually(t, "the higher id is marked", func(ctx context.Context) (bool, error) {
		list := b.rows(ctx)
		return len(list) == 2 && list[1].Sent, nil
	})
	if err := slow.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.allSent()
	want := []string{first[0], first[0], higher[0]}
	if diff := cmp.Diff(sent(want), b.rows(t.Context())); diff != "" {
		t.Errorf("by their ids:\n%s", diff)
	}
	if diff := cmp.Diff([]string{first[0], higher[0], first[0]}, b.ids()); diff != "" {
		t.Errorf("by their way out:\n%s", diff)
	}
}

func TestAWakeAloneMakesItPublish(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	wake, idle := make(chan struct{}), make(chan struct{}, 10)
	b.run(func(r *outbox.Relay) {
		r.Poll, r.Wake = never, wake
		r.Claim = func(ctx context.Context, rows int) (outbox.Batch, error) {
			batch, err := b.claim(ctx, rows)
			if err == nil && len(batch.Rows()) == 0 {
				idle <- struct{}{}
			}
			return batch, err
		}
	})
	receive(t, "it found nothing to do", idle)
	bought := b.buy(1)
	select {
	case wake <- struct{}{}:
	case <-time.After(limit):
		t.Fatal("nobody takes the wake")
	}
	b.allSent()
	if diff := cmp.Diff(bought, b.ids()); diff != "" {
		t.Error(diff)
	}
}

// TestTwoRelaysPublishEachRowOnce has both hold a batch at the same time.
func TestTwoRelaysPublishEachRowOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bought := b.buy(outbox.BatchSize + 50)
	var both sync.WaitGroup
	both.Add(2)
	together := make(chan struct{})
	go func() { both.Wait(); close(together) }()
	t.Cleanup(func() { receive(t, "both held a batch at once", together) })
	for range 2 {
		once := sync.OnceFunc(both.Done)
		t.Cleanup(once)
		b.run(func(r *outbox.Relay) {
			r.Claim = func(ctx context.Context, rows int) (outbox.Batch, error) {
				batch, err := b.claim(ctx, rows)
				if err == nil && len(batch.Rows()) > 0 {
					once()
					select {
					case <-together:
					case <-ctx.Done():
					}
				}
				return batch, err
			}
		})
	}
	receive(t, "both hold a batch", together)
	b.allSent()
	if diff := cmp.Diff(sent(bought), b.rows(t.Context())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(bought, b.ids(), inAnyOrder); diff != "" {
		t.Error(diff)
	}
}

// TestAStopWithABatchInHandGivesItBackAtOnce: nothing waits for a timeout or for a lost connection.
func TestAStopWithABatchInHandGivesItBackAtOnce(t *testing.T) {
	t.Parallel()
	for at, published := range map[step.Name]bool{step.RelayClaimed: false, step.RelayPublished: true} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			bought := b.buy(1)
			var out []string
			if published {
				out = bought
			}
			recorder := &hanging{at: at, reached: make(chan struct{}, 10)}
			stop := b.run(func(r *outbox.Relay) { r.Probe = step.Probe{Recorder: recorder} })
			receive(t, "the batch is in hand", recorder.reached)
			stop()
			batch, err := b.claim(t.Context(), 10)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(batch.Rows()); n != 1 {
				t.Errorf("%d rows can be claimed, want 1", n)
			}
			if diff := cmp.Diff([]entry{{MessageID: bought[0]}}, b.rows(t.Context())); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(out, b.ids()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAStopAfterTheConfirmStillMarksTheRow(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bought := b.buy(1)
	confirmed, stopping, stopped := make(chan struct{}), make(chan struct{}), make(chan struct{})
	stop := b.run(func(r *outbox.Relay) {
		real := r.Publisher
		r.Publisher = publisherFunc(func(ctx context.Context, messages []payments.Message) []error {
			results := real.PublishJobs(ctx, messages)
			close(confirmed)
			<-stopping
			return results
		})
	})
	receive(t, "the broker confirmed", confirmed)
	go func() { defer close(stopped); stop() }()
	close(stopping)
	receive(t, "the relay ends", stopped)
	if diff := cmp.Diff(sent(bought), b.rows(t.Context())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(bought, b.ids()); diff != "" {
		t.Error(diff)
	}
}
