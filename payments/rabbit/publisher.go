package rabbit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/payments"
)

// MaxBatch bounds the messages of one Publish: every one of them may come back as unroutable, and a
// full channel of returns would lose some.
const MaxBatch = 100

// confirmWait is how long a confirm may take. After that the outcome is unknown, and the same message
// will be published again.
const confirmWait = 5 * time.Second

// Publisher publishes on a connection of its own, so that a broker that blocks publishers cannot stop
// acks. It connects when it must, and forgets a connection on which anything went wrong.
type Publisher struct {
	URL      string
	Topology Topology
	Delays   []time.Duration
	// Name is shown in the broker's list of connections.
	Name string

	mu      sync.Mutex
	session *publishing
}

// publishing is one connection, its channel in confirm mode, and what was returned on it.
type publishing struct {
	conn    *amqp.Connection
	channel *amqp.Channel
	returns chan amqp.Return
}

// Connect connects now, where it is not yet connected, and says whether that worked.
func (p *Publisher) Connect(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.connected(ctx)
	return err
}

// Close closes the connection. The publisher connects again when it is used again.
func (p *Publisher) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop()
}

// PublishJobs publishes charge jobs and waits for the broker's word on each. The result has an entry
// for every message: nil only when the broker confirmed it and did not return it. Everything else is
// unknown; the caller publishes it again with the same id.
func (p *Publisher) PublishJobs(ctx context.Context, messages []payments.Message) []error {
	return p.publish(ctx, p.Topology.exchange(), chargeKey, messages)
}

// publishRetry publishes one message to the retry queue of a delay, which it declares first: the
// delays are a setting and may be new.
func (p *Publisher) publishRetry(ctx context.Context, delay time.Duration, m payments.Message) error {
	if err := p.declareRetry(ctx, delay); err != nil {
		return err
	}
	return p.publish(ctx, "", p.Topology.Retry(delay), []payments.Message{m})[0]
}

func (p *Publisher) declareRetry(ctx context.Context, delay time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	session, err := p.connected(ctx)
	if err != nil {
		return err
	}
	if err := p.Topology.declareRetry(session.channel, delay); err != nil {
		p.drop()
		return fmt.Errorf("%w: %w", payments.ErrUnavailable, err)
	}
	return nil
}

// publishDead publishes one message to the dead letters.
func (p *Publisher) publishDead(ctx context.Context, m payments.Message) error {
	return p.publish(ctx, p.Topology.deadLetterExchange(), deadKey, []payments.Message{m})[0]
}

func (p *Publisher) publish(ctx context.Context, exchange, key string, messages []payments.Message) []error {
	p.mu.Lock()
	defer p.mu.Unlock()
	results := make([]error, len(messages))
	if len(messages) > MaxBatch {
		return fill(results, fmt.Errorf("a batch has at most %d messages", MaxBatch))
	}
	session, err := p.connected(ctx)
	if err != nil {
		return fill(results, err)
	}
	if !session.publish(ctx, exchange, key, messages, results) {
		p.drop()
	}
	return results
}

// publish fills the results and says whether the session is still good.
func (s *publishing) publish(
	ctx context.Context, exchange, key string, messages []payments.Message, results []error,
) bool {
	ctx, cancel := context.WithTimeout(ctx, confirmWait)
	defer cancel()
	confirms := make([]*amqp.DeferredConfirmation, len(messages))
	for i, m := range messages {
		confirms[i], results[i] = s.channel.PublishWithDeferredConfirmWithContext(ctx, exchange, key, true, false,
			amqp.Publishing{
				MessageId: m.ID, DeliveryMode: amqp.Persistent, ContentType: "application/json",
				Headers: m.Headers, Body: m.Body,
			})
	}
	good := true
	for i, confirm := range confirms {
		if results[i] == nil {
			results[i] = confirmed(ctx, confirm)
		}
		good = good && results[i] == nil
	}
	s.failReturned(messages, results)
	return good
}

// confirmed waits for one confirm. False means a nack or a closed channel, which is not "not stored".
func confirmed(ctx context.Context, confirm *amqp.DeferredConfirmation) error {
	ok, err := confirm.WaitContext(ctx)
	if err != nil {
		return fmt.Errorf("%w: no confirm in time: %w", payments.ErrUnknown, err)
	}
	if !ok {
		return fmt.Errorf("%w: the broker did not confirm", payments.ErrUnknown)
	}
	return nil
}

// failReturned fails what the broker could not route. It confirms such a message too, but returns it
// first, so that by now it is here (measured).
func (s *publishing) failReturned(messages []payments.Message, results []error) {
	for {
		select {
		case returned, open := <-s.returns:
			if !open { // The channel is gone, and what was not confirmed has failed already.
				return
			}
			for i, m := range messages {
				if m.ID == returned.MessageId {
					results[i] = fmt.Errorf("%w: unroutable: %s", payments.ErrUnavailable, returned.ReplyText)
				}
			}
		default:
			return
		}
	}
}

// connected gives the session, a new one where there is none or the old one is closed.
func (p *Publisher) connected(ctx context.Context) (*publishing, error) {
	if p.session != nil && !p.session.channel.IsClosed() {
		return p.session, nil
	}
	p.drop()
	conn, err := dial(ctx, p.URL, p.Name)
	if err != nil {
		return nil, err
	}
	opening := hangUpAtEnd(ctx, conn)
	session, err := openPublishing(conn, p.Topology, p.Delays)
	opening()
	if err != nil {
		closeConnection(conn)
		return nil, fmt.Errorf("%w: %w", payments.ErrUnavailable, err)
	}
	p.session = session
	return session, nil
}

func openPublishing(conn *amqp.Connection, t Topology, delays []time.Duration) (*publishing, error) {
	channel, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	returns := channel.NotifyReturn(make(chan amqp.Return, MaxBatch))
	return &publishing{conn, channel, returns}, errors.Join(t.Declare(channel, delays), channel.Confirm(false))
}

func (p *Publisher) drop() {
	if p.session != nil {
		closeConnection(p.session.conn)
		p.session = nil
	}
}

func fill(results []error, err error) []error {
	for i := range results {
		results[i] = err
	}
	return results
}
