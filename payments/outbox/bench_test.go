package outbox_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/outbox"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/rabbit"
)

// never is a poll that does not come in a test's life.
const never = time.Hour

// bench is a test's own schema and its own queues. The relay reaches the broker through the proxy, the
// test itself goes straight.
type bench struct {
	*testing.T
	store    *postgres.Store
	topology rabbit.Topology
	proxy    *proxy
	direct   *amqp.Channel

	mu   sync.Mutex
	held []outbox.Batch
}

func newBench(t *testing.T) *bench {
	t.Helper()
	url := stacktest.Servers(t).AMQPURL
	conn, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseDeadline(time.Now().Add(limit)) })
	channel, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		T: t, store: postgrestest.Open(t), topology: rabbit.Topology{Prefix: "test-" + uuid.NewString()[:8] + "."},
		proxy: newProxy(t, url), direct: channel,
	}
	t.Cleanup(b.remove)
	if err := b.topology.Declare(channel, nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// remove drops what is on the broker, and gives back the rows that a relay forgot: the store's pool
// would wait for them for ever.
func (b *bench) remove() {
	b.mu.Lock()
	defer b.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.Context()), limit)
	defer cancel()
	for _, batch := range b.held {
		batch.Release(ctx)
	}
	for _, queue := range []string{b.topology.Jobs(), b.topology.Dead()} {
		_, _ = b.direct.QueueDelete(queue, false, false, false)
	}
	for _, exchange := range []string{"payments", "payments.dlx"} {
		_ = b.direct.ExchangeDelete(b.topology.Prefix+exchange, false, false)
	}
}

// claim is the store's, and remembers what it gave.
func (b *bench) claim(ctx context.Context, rows int) (outbox.Batch, error) {
	batch, err := b.store.ClaimOutbox(ctx, rows)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held = append(b.held, batch)
	return batch, nil
}

// run runs a relay with the real store and the real publisher, until stop is called or the test is
// over. Stop ends the context and returns when the relay did.
func (b *bench) run(change func(*outbox.Relay)) (stop func()) {
	b.Helper()
	publisher := &rabbit.Publisher{URL: b.proxy.url, Topology: b.topology, Name: "test"}
	relay := &outbox.Relay{Claim: b.claim, Publisher: publisher, Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(relay)
	}
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() {
		defer publisher.Close()
		ended <- relay.Run(ctx)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				b.Error(err)
			}
		case <-time.After(limit):
			b.Error("the relay does not end")
		}
	})
	b.Cleanup(stop)
	return stop
}

// buy saves checkouts, whose outbox rows are to be published, and gives their message ids.
func (b *bench) buy(count int) []string {
	b.Helper()
	var bought []string
	for range count {
		now, order, message := time.Now().UTC().Truncate(time.Microsecond), newID(), newID()
		err := b.store.SaveCheckout(b.Context(), payments.Answer{
			Scope: "ayse", Key: newID(), Fingerprint: []byte("sha"), Status: 202, Headers: map[string]string{},
			Body: []byte(`{}`), Subject: order, ExpiresAt: now.Add(24 * time.Hour),
		}, payments.Checkout{Order: payments.Order{
			ID: order, Account: "ayse", Status: payments.OrderPending, Amount: 42000, Currency: payments.TRY,
			Items: []payments.Item{{SKU: "filter-coffee", Quantity: 1}}, CreatedAt: now,
			Attempts: []payments.Attempt{
				{MessageID: message, PaymentMethod: "pm_card_visa", Status: payments.AttemptOpen},
			},
		}})
		if err != nil {
			b.Fatal(err)
		}
		bought = append(bought, message)
	}
	return bought
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// entry is what the outbox says of one row.
type entry struct {
	MessageID string
	Sent      bool
	Attempts  int
	Error     string
}

func (b *bench) rows(ctx context.Context) []entry {
	b.Helper()
	var list []entry
	rows, err := b.store.Pool().Query(ctx,
		`SELECT message_id::text, sent_at IS NOT NULL, attempts, last_error FROM outbox ORDER BY id`)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r entry
		if err := rows.Scan(&r.MessageID, &r.Sent, &r.Attempts, &r.Error); err != nil {
			b.Fatal(err)
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return list
}

// sent are the rows of these messages as they are when each was published at its first attempt.
func sent(messages []string) (list []entry) {
	for _, id := range messages {
		list = append(list, entry{MessageID: id, Sent: true, Attempts: 1})
	}
	return list
}

// allSent waits until every row is marked.
func (b *bench) allSent() {
	b.Helper()
	eventually(b.T, "every row is marked", func(ctx context.Context) (bool, error) {
		return !slices.ContainsFunc(b.rows(ctx), func(r entry) bool { return !r.Sent }), nil
	})
}

// published takes all messages out of the queue.
func (b *bench) published() []amqp.Delivery {
	b.Helper()
	var list []amqp.Delivery
	for {
		message, ok, err := b.direct.Get(b.topology.Jobs(), true)
		if err != nil {
			b.Fatal(err)
		}
		if !ok {
			return list
		}
		list = append(list, message)
	}
}

// ids are the message ids of the queue, in its order.
func (b *bench) ids() (list []string) {
	b.Helper()
	for _, message := range b.published() {
		list = append(list, message.MessageId)
	}
	return list
}
