package rabbit

import (
	"context"
	"fmt"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/payments"
)

// Count is what the broker says of one queue.
type Count struct {
	Queue     string
	Ready     int
	Consumers int
}

// Inspector looks at queues and empties them. Ready counts come from a passive declare, because the
// broker's own statistics lag by seconds.
type Inspector struct {
	URL      string
	Topology Topology
	Delays   []time.Duration

	mu      sync.Mutex
	conn    *amqp.Connection
	channel *amqp.Channel
}

// Counts reads the job, retry and dead-letter queues, and those named besides.
func (i *Inspector) Counts(ctx context.Context, besides []string) ([]Count, error) {
	var counts []Count
	err := i.each(ctx, besides, func(channel *amqp.Channel, name string) error {
		queue, err := channel.QueueDeclarePassive(name, true, false, false, false, nil)
		counts = append(counts, Count{name, queue.Messages, queue.Consumers})
		return err
	})
	return counts, err
}

// Purge drops whatever is ready in those queues.
func (i *Inspector) Purge(ctx context.Context, besides []string) error {
	return i.each(ctx, besides, func(channel *amqp.Channel, name string) error {
		_, err := channel.QueuePurge(name, false)
		return err
	})
}

// Close closes the connection.
func (i *Inspector) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.drop()
}

func (i *Inspector) each(ctx context.Context, besides []string, do func(*amqp.Channel, string) error) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.connect(ctx); err != nil {
		return err
	}
	for _, name := range i.queues(besides) {
		if err := do(i.channel, name); err != nil {
			i.drop()
			return fmt.Errorf("%w: queue %s: %w", payments.ErrUnavailable, name, err)
		}
	}
	return nil
}

// queues lists each queue once, the jobs first.
func (i *Inspector) queues(besides []string) []string {
	names := []string{i.Topology.Jobs()}
	for _, delay := range i.Delays {
		names = append(names, i.Topology.Retry(delay))
	}
	known := map[string]bool{}
	var unique []string
	for _, name := range append(append(names, besides...), i.Topology.Dead()) {
		if !known[name] {
			known[name] = true
			unique = append(unique, name)
		}
	}
	return unique
}

func (i *Inspector) connect(ctx context.Context) error {
	if i.channel != nil && !i.channel.IsClosed() {
		return nil
	}
	i.drop()
	conn, err := dial(ctx, i.URL, "inspector")
	if err != nil {
		return err
	}
	opening := hangUpAtEnd(ctx, conn)
	channel, err := conn.Channel()
	if err == nil {
		err = i.Topology.Declare(channel, i.Delays)
	}
	opening()
	if err != nil {
		closeConnection(conn)
		return fmt.Errorf("%w: %w", payments.ErrUnavailable, err)
	}
	i.conn, i.channel = conn, channel
	return nil
}

func (i *Inspector) drop() {
	if i.conn != nil {
		closeConnection(i.conn)
		i.conn, i.channel = nil, nil
	}
}

// Delete removes the queues with whatever is in them, those named besides too, and the exchanges. What
// is not there is no error.
func (i *Inspector) Delete(ctx context.Context, besides []time.Duration) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.connect(ctx); err != nil {
		return err
	}
	defer i.drop() // The next look declares anew.
	var retries []string
	for _, delay := range besides {
		retries = append(retries, i.Topology.Retry(delay))
	}
	for _, name := range i.queues(retries) {
		if _, err := i.channel.QueueDelete(name, false, false, false); err != nil {
			return fmt.Errorf("%w: delete queue %s: %w", payments.ErrUnavailable, name, err)
		}
	}
	for _, name := range []string{i.Topology.exchange(), i.Topology.deadLetterExchange()} {
		if err := i.channel.ExchangeDelete(name, false, false); err != nil {
			return fmt.Errorf("%w: delete exchange %s: %w", payments.ErrUnavailable, name, err)
		}
	}
	return nil
}
