package rabbit

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	amqp "github.com/rabbitmq/amqp091-go"
)

// Consumer takes deliveries from one queue, by hand-written acks, and comes back whatever happens to
// its connection.
type Consumer struct {
	URL      string
	Topology Topology
	Delays   []time.Duration
	Queue    string
	// Publisher sends retries and dead letters, on its own connection.
	Publisher *Publisher
	// Prefetch is how many deliveries are in hand at once, and how many are worked on. Defaults to 1:
	// with more, the crashes of one poison message count against its neighbours too (measured).
	Prefetch int
	// Grace is how long a delivery in hand may take to end after the context ended. Defaults to 5 s.
	Grace time.Duration
	// Ready is told whether there is a consumer. Optional.
	Ready func(bool)
	// Breaker can break the session's connection. Optional.
	Breaker *Breaker
	Log     *slog.Logger
}

// Run consumes until the context ends, and returns when no delivery is in hand any more. Then it stops
// taking; what it has not begun goes back to the broker un-acked, by that one way only.
func (c *Consumer) Run(ctx context.Context, handle func(context.Context, *Delivery)) error {
	for ctx.Err() == nil {
		_, _ = backoff.Retry(ctx, func() (struct{}, error) {
			return struct{}{}, c.session(ctx, handle)
		}, backoff.WithBackOff(reconnectPace()), backoff.WithMaxElapsedTime(0),
			backoff.WithNotify(func(err error, after time.Duration) {
				c.Log.WarnContext(ctx, "the broker cannot be used", "queue", c.Queue, "error", err, "again_in", after)
			}))
	}
	return nil
}

// session runs one connection from dial to its end. It fails if it never began to consume; a session
// that did consume and ended is no failure, and the next one is tried at once.
func (c *Consumer) session(ctx context.Context, handle func(context.Context, *Delivery)) error {
	conn, err := dial(ctx, c.URL, c.Queue)
	if err != nil {
		return err
	}
	defer closeConnection(conn)
	settingUp := hangUpAtEnd(ctx, conn)
	defer settingUp()
	channel, err := conn.Channel()
	if err != nil {
		return fmt.Errorf("open a channel: %w", err)
	}
	if err := c.Topology.Declare(channel, c.Delays); err != nil {
		return err
	}
	if err := channel.Qos(max(1, c.Prefetch), 0, false); err != nil {
		return fmt.Errorf("set the prefetch: %w", err)
	}
	// Listeners have room for one and are new for every session; a shared one would panic on close.
	connClosed := conn.NotifyClose(make(chan *amqp.Error, 1))
	channelClosed := channel.NotifyClose(make(chan *amqp.Error, 1))
	cancelled := channel.NotifyCancel(make(chan string, 1))
	deliveries, err := channel.Consume(c.Queue, consumerTag, false, false, false, false, nil)
	if err != nil {
		return fmt.Errorf("consume from %s: %w", c.Queue, err)
	}
	if !settingUp() { // From here on a stop takes its time, for the hands.
		return ctx.Err()
	}
	c.Breaker.holds(conn)
	c.ready(true)
	defer c.ready(false)
	c.work(ctx, channel, deliveries, handle, func(done <-chan struct{}) {
		var reason *amqp.Error
		select {
		case reason = <-connClosed:
		case reason = <-channelClosed:
		case <-cancelled: // The queue was deleted, or the broker lost patience.
		case <-done: // The deliveries were closed.
		case <-ctx.Done():
			return
		}
		c.Log.WarnContext(ctx, "the session with the broker ended", "queue", c.Queue, "reason", reason)
	})
	return nil
}

const consumerTag = "worker"

// work hands out deliveries until wait returns, and comes back when none is in hand.
func (c *Consumer) work(ctx context.Context, channel *amqp.Channel, deliveries <-chan amqp.Delivery,
	handle func(context.Context, *Delivery), wait func(done <-chan struct{}),
) {
	taking, stopTaking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopTaking()
	handling, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	var hands sync.WaitGroup
	for range max(1, c.Prefetch) {
		hands.Go(func() { c.take(taking, handling, deliveries, handle) })
	}
	done := make(chan struct{})
	go func() { hands.Wait(); close(done) }()
	wait(done)
	stopTaking()
	if !channel.IsClosed() {
		_ = channel.Cancel(consumerTag, true)
	}
	grace := time.AfterFunc(c.grace(), giveUp)
	defer grace.Stop()
	<-done
}

// take handles one delivery after the other. It stops between two of them, never inside one.
func (c *Consumer) take(taking, handling context.Context, deliveries <-chan amqp.Delivery,
	handle func(context.Context, *Delivery),
) {
	for taking.Err() == nil {
		select {
		case <-taking.Done():
		case raw, open := <-deliveries:
			if !open {
				return
			}
			if taking.Err() == nil {
				handle(handling, &Delivery{raw: raw, publisher: c.Publisher})
			}
		}
	}
}

func (c *Consumer) grace() time.Duration {
	if c.Grace > 0 {
		return c.Grace
	}
	return 5 * time.Second
}

func (c *Consumer) ready(ready bool) {
	if c.Ready != nil {
		c.Ready(ready)
	}
}
