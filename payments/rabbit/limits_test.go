package rabbit_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/rabbit"
)

func TestTheNamesOfTheTopology(t *testing.T) {
	t.Parallel()
	plain, test := rabbit.Topology{}, rabbit.Topology{Prefix: "test."}
	for name, got := range map[string]string{
		"charge.jobs":             plain.Jobs(),
		"charge.dead":             plain.Dead(),
		"charge.retry.500ms":      plain.Retry(500 * time.Millisecond),
		"charge.retry.1500ms":     plain.Retry(1500 * time.Millisecond),
		"charge.retry.2s":         plain.Retry(2 * time.Second),
		"charge.retry.10s":        plain.Retry(10 * time.Second),
		"test.charge.jobs":        test.Jobs(),
		"test.charge.dead":        test.Dead(),
		"test.charge.retry.500ms": test.Retry(500 * time.Millisecond),
		"test.charge.retry.60s":   test.Retry(time.Minute),
	} {
		if got != name {
			t.Errorf("it is called %s, want %s", got, name)
		}
	}
}

func TestARetryDoesNotComeBackBeforeItsDelayIsOver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.consume(nil)
	b.publish(amqp.Publishing{MessageId: "m-1"})
	d := receive(t, "a delivery", c.deliveries)
	begin := time.Now()
	if _, err := d.RetryLater(t.Context(), delay, errCause); err != nil {
		t.Fatal(err)
	}
	again := receive(t, "it comes back", c.deliveries)
	if after := time.Since(begin); after < delay {
		t.Errorf("it came back after %v, want %v at least", after, delay)
	}
	ack(t, again)
}

// TestTheContextOfAHandOutlivesTheStop: it ends with the grace, not with the consumer's own context.
func TestTheContextOfAHandOutlivesTheStop(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	begun, look, seen := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	c := &consumer{ready: make(chan bool, 10)}
	b.run(c, nil, func(ctx context.Context, d *rabbit.Delivery) {
		close(begun)
		select {
		case <-look:
		case <-ctx.Done():
		}
		seen <- ctx.Err()
		if err := d.Ack(); err != nil {
			t.Errorf("the hand was not let finish: %v", err)
		}
	})
	b.publish(amqp.Publishing{MessageId: "m-1"})
	receive(t, "it is in hand", begun)
	stopped := make(chan struct{})
	go func() { defer close(stopped); c.stop() }()
	receive(t, "it tells the broker that it takes no more", b.proxy.cancelled)
	close(look)
	if err := receive(t, "the hand looks at its context", seen); err != nil {
		t.Errorf("within the grace, its context ended: %v", err)
	}
	receive(t, "the consumer ends", stopped)
	if n := b.ready(b.topology.Jobs()); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

// TestWhatArrivedButWasNotBegunGoesBack: after an ack the next delivery is in this process at once,
// while the hand is still busy with what comes after its ack.
func TestWhatArrivedButWasNotBegunGoesBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	begun, finish := make(chan string, 10), make(chan struct{})
	c := &consumer{ready: make(chan bool, 10)}
	b.run(c, nil, func(ctx context.Context, d *rabbit.Delivery) {
		if err := d.Ack(); err != nil {
			t.Error(err)
		}
		begun <- d.ID()
		select {
		case <-finish:
		case <-ctx.Done():
		}
	})
	for _, id := range []string{"m-1", "m-2", "m-3"} {
		b.publish(amqp.Publishing{MessageId: id})
	}
	receive(t, "the first is begun", begun)
	eventually(t, "the second is on its way to the hand", func() (bool, error) {
		return b.ready(b.topology.Jobs()) == 1, nil
	})
	stopped := make(chan struct{})
	go func() { defer close(stopped); c.stop() }()
	receive(t, "it tells the broker that it takes no more", b.proxy.cancelled)
	close(finish)
	receive(t, "the consumer ends", stopped)
	if len(begun) != 0 {
		t.Errorf("%s was begun after the stop", <-begun)
	}
	got := []string{b.take(b.topology.Jobs()).MessageId, b.take(b.topology.Jobs()).MessageId}
	if diff := cmp.Diff([]string{"m-2", "m-3"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestAStopIsQuickWhateverTheBrokerDoes: there is no hand to wait for.
func TestAStopIsQuickWhateverTheBrokerDoes(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]int{
		"it says nothing":                         0,
		"it says nothing more after its greeting": 1,
		"it does not open a channel":              3,
		"it does not declare":                     5,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.proxy.swallowAfter(after)
			b.stopsQuickly(b.proxy.url, b.proxy.hasSwallowed)
		})
	}
	t.Run("it is not there", func(t *testing.T) {
		t.Parallel()
		newBench(t).stopsQuickly("amqp://127.0.0.1:1", func() bool { return true })
	})
}

// TestAContextEndsWhatWaitsForASilentBroker: nobody who publishes or looks waits for the heartbeat.
func TestAContextEndsWhatWaitsForASilentBroker(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(context.Context, *bench) error{
		"the publisher": func(ctx context.Context, b *bench) error {
			return b.publisher().PublishJobs(ctx, []payments.Message{job("m-1")})[0]
		},
		"the inspector": func(ctx context.Context, b *bench) error {
			inspector := &rabbit.Inspector{URL: b.proxy.url, Topology: b.topology}
			defer inspector.Close()
			return inspector.Purge(ctx, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.proxy.swallowAfter(5) // It does not declare.
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- use(ctx, b) }()
			eventually(t, "it is stuck", func() (bool, error) { return b.proxy.hasSwallowed(), nil })
			begin := time.Now()
			cancel()
			wantError(t, receive(t, "it ends", done), payments.ErrUnavailable)
			if after := time.Since(begin); after > 5*time.Second {
				t.Errorf("it ended after %v", after)
			}
		})
	}
}

// stopsQuickly stops a consumer that never came to consume.
func (b *bench) stopsQuickly(url string, stuck func() bool) {
	b.t.Helper()
	c := &rabbit.Consumer{
		URL: url, Topology: b.topology, Delays: b.delays, Queue: b.topology.Jobs(),
		Log: slog.New(slog.DiscardHandler),
	}
	ctx, cancel := context.WithCancel(b.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx, func(context.Context, *rabbit.Delivery) {}) }()
	eventually(b.t, "it is stuck", func() (bool, error) { return stuck(), nil })
	begin := time.Now()
	cancel()
	if err := receive(b.t, "the consumer ends", ended); err != nil {
		b.t.Error(err)
	}
	if after := time.Since(begin); after > 5*time.Second {
		b.t.Errorf("it ended after %v", after)
	}
}

func TestTheInspectorSurvivesADeletedQueue(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	inspector := &rabbit.Inspector{URL: b.proxy.url, Topology: b.topology, Delays: b.delays}
	t.Cleanup(inspector.Close)
	if _, err := inspector.Counts(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.direct.QueueDelete(b.topology.Retry(delay), false, false, false); err != nil {
		t.Fatal(err)
	}
	_, err := inspector.Counts(t.Context(), nil)
	wantError(t, err, payments.ErrUnavailable)
	counts, err := inspector.Counts(t.Context(), nil)
	if err != nil {
		t.Fatalf("the next time: %v", err)
	}
	want := []rabbit.Count{{Queue: b.topology.Jobs()}, {Queue: b.topology.Retry(delay)}, {Queue: b.topology.Dead()}}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Error(diff)
	}
}
