package rabbit_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"
	"go.uber.org/goleak"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/rabbit"
)

// limit bounds every wait of these tests. None comes near it unless something is wrong.
const limit = 30 * time.Second

// delay is how long the retry queue of these tests holds a message.
const delay = 200 * time.Millisecond

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(served{m},
		goleak.IgnoreTopFunction("example.com/doublecharge/lab/stack.WatchParent.func1")) // It ends with the process.
}

// served runs the tests with servers around them.
type served struct{ m *testing.M }

func (s served) Run() int { return stacktest.Main(s.m) }

// bench is a test's own corner of the broker: queues of its own, and two ways to them. The client goes
// through the proxy, which can cut it off; the test itself goes straight.
type bench struct {
	t        *testing.T
	topology rabbit.Topology
	delays   []time.Duration
	proxy    *proxy
	direct   *amqp.Channel
}

func newBench(t *testing.T) *bench {
	t.Helper()
	url := stacktest.Servers(t).AMQPURL
	conn, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	channel, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		t: t, topology: rabbit.Topology{Prefix: "test-" + uuid.NewString()[:8] + "."},
		delays: []time.Duration{delay}, proxy: newProxy(t, url), direct: channel,
	}
	if err := b.topology.Declare(channel, b.delays); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.remove(conn)
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func (b *bench) remove(conn *amqp.Connection) {
	channel, err := conn.Channel() // The test may have closed the other one.
	if err != nil {
		b.t.Error(err)
		return
	}
	for _, queue := range []string{b.topology.Jobs(), b.topology.Dead(), b.topology.Retry(delay)} {
		_, _ = channel.QueueDelete(queue, false, false, false) // Some tests do that themselves.
	}
	for _, exchange := range []string{b.exchange(), b.exchange() + ".dlx"} {
		_ = channel.ExchangeDelete(exchange, false, false)
	}
}

func (b *bench) exchange() string { return b.topology.Prefix + "payments" }

func (b *bench) publisher() *rabbit.Publisher {
	p := &rabbit.Publisher{URL: b.proxy.url, Topology: b.topology, Delays: b.delays, Name: "test"}
	b.t.Cleanup(func() {
		closed := make(chan struct{})
		go func() { defer close(closed); p.Close() }()
		receive(b.t, "the publisher closes", closed)
	})
	return p
}

// publish puts a message into the job queue, by the test's own way.
func (b *bench) publish(m amqp.Publishing) {
	b.t.Helper()
	m.DeliveryMode = amqp.Persistent
	if err := b.direct.PublishWithContext(b.t.Context(), b.exchange(), "charge", true, false, m); err != nil {
		b.t.Fatal(err)
	}
}

// take gets one message that must come, and acks it.
func (b *bench) take(queue string) amqp.Delivery {
	b.t.Helper()
	var message amqp.Delivery
	eventually(b.t, "a message in "+queue, func() (ok bool, err error) {
		message, ok, err = b.direct.Get(queue, true)
		return ok, err
	})
	return message
}

// ready counts what waits in a queue.
func (b *bench) ready(queue string) int {
	b.t.Helper()
	q, err := b.direct.QueueDeclarePassive(queue, true, false, false, false, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return q.Messages
}

// consumer is a running consumer and what it did.
type consumer struct {
	*rabbit.Consumer
	deliveries chan *rabbit.Delivery
	ready      chan bool
	stop       func() // ends the context and returns when Run did
}

// consume runs a consumer whose deliveries the test takes from a channel: the worker's hand is free
// again as soon as the test has taken one.
func (b *bench) consume(change func(*rabbit.Consumer)) *consumer {
	b.t.Helper()
	c := &consumer{deliveries: make(chan *rabbit.Delivery), ready: make(chan bool, 100)}
	b.run(c, change, func(ctx context.Context, d *rabbit.Delivery) {
		select {
		case c.deliveries <- d:
		case <-ctx.Done():
		}
	})
	return c
}

// run runs a consumer with a handler of the test's own, until stop is called or the test is over.
func (b *bench) run(c *consumer, change func(*rabbit.Consumer), handle func(context.Context, *rabbit.Delivery)) {
	b.t.Helper()
	c.Consumer = &rabbit.Consumer{
		URL: b.proxy.url, Topology: b.topology, Delays: b.delays, Queue: b.topology.Jobs(),
		Publisher: b.publisher(), Grace: limit, Ready: func(ready bool) { c.ready <- ready },
		Log: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(c.Consumer)
	}
	ctx, cancel := context.WithCancel(b.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx, handle) }()
	stopped := false
	c.stop = func() {
		cancel()
		if stopped {
			return
		}
		stopped = true
		if err := receive(b.t, "the consumer ends", ended); err != nil {
			b.t.Error(err)
		}
	}
	b.t.Cleanup(c.stop)
	if c.Ready != nil && !receive(b.t, "the consumer is ready", c.ready) {
		b.t.Fatal("the consumer said first that it is not ready")
	}
}

func eventually(t *testing.T, what string, yes func() (bool, error)) {
	t.Helper()
	over := time.After(limit)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := yes()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if ok {
			return
		}
		select {
		case <-tick.C:
		case <-over:
			t.Fatalf("never: %s", what)
		}
	}
}

func receive[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(limit):
		t.Fatalf("never: %s", what)
		panic("unreachable")
	}
}

func job(id string) payments.Message {
	return payments.Message{ID: id, Body: []byte(`{"message_id":"` + id + `"}`)}
}
