package outbox_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/outbox"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
)

// pair is a relay between the real database and the real broker.
type pair struct {
	t         *testing.T
	store     *postgres.Store
	topology  rabbit.Topology
	publisher *rabbit.Publisher
	channel   *amqp.Channel
	wake      chan struct{}
}

func newPair(t *testing.T) *pair {
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
	topology := rabbit.Topology{Prefix: "test-" + uuid.NewString()[:8] + "."}
	p := &pair{
		t: t, store: postgrestest.Open(t), topology: topology, channel: channel, wake: make(chan struct{}, 1),
		publisher: &rabbit.Publisher{URL: url, Topology: topology, Name: "test"},
	}
	if err := topology.Declare(channel, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.publisher.Close()
		for _, queue := range []string{topology.Jobs(), topology.Dead()} {
			_, _ = channel.QueueDelete(queue, false, false, false)
		}
		for _, exchange := range []string{p.exchange(), p.exchange() + ".dlx"} {
			_ = channel.ExchangeDelete(exchange, false, false)
		}
		_ = conn.Close()
	})
	return p
}

func (p *pair) exchange() string { return p.topology.Prefix + "payments" }

// relay runs until stop is called or the test is over. A relay's life without a stop is a crash: its
// rows are held by a transaction, which ends with it.
func (p *pair) relay(probe step.Probe) (stop func()) {
	p.t.Helper()
	relay := &outbox.Relay{
		Claim: func(ctx context.Context, limit int) (outbox.Batch, error) {
			batch, err := p.store.ClaimOutbox(ctx, limit)
			return batch, err
		},
		Publisher: p.publisher, Probe: probe, Wake: p.wake, Log: slog.New(slog.DiscardHandler),
	}
	ctx, cancel := context.WithCancel(p.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = relay.Run(ctx)
	}()
	stop = func() { cancel(); receive(p.t, "the relay ends", ended) }
	p.t.Cleanup(stop)
	return stop
}

// buy saves a checkout and gives its message id.
func (p *pair) buy() string {
	p.t.Helper()
	id := newID()
	now := time.Now()
	err := p.store.SaveCheckout(p.t.Context(),
		payments.Answer{
			Scope: "ayse", Key: newID(), Fingerprint: []byte{1}, Status: 202, Headers: map[string]string{},
			Body: []byte("{}"), ExpiresAt: now,
		},
		payments.Checkout{Order: payments.Order{
			ID: newID(), Account: "ayse", Status: payments.OrderPending, Amount: 42000, Currency: payments.TRY,
			Items:     []payments.Item{{SKU: "filter-coffee", Quantity: 1}},
			Attempts:  []payments.Attempt{{MessageID: id, PaymentMethod: "pm_card_visa", Status: payments.AttemptOpen}},
			CreatedAt: now,
		}})
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

// arrived takes as many messages as must come, and sees that there is no more.
func (p *pair) arrived(n int) (ids []string) {
	p.t.Helper()
	eventually(p.t, "the messages", func(context.Context) (bool, error) {
		m, ok, err := p.channel.Get(p.topology.Jobs(), true)
		if ok {
			ids = append(ids, m.MessageId)
			if _, err := payments.DecodeChargeJob(m.MessageId, m.Body); err != nil {
				p.t.Error(err)
			}
		}
		return len(ids) == n, err
	})
	return ids
}

func (p *pair) allMarked() {
	p.t.Helper()
	eventually(p.t, "every row is marked", func(ctx context.Context) (bool, error) {
		a, err := p.store.Activity(ctx)
		return a.Unsent == 0, err
	})
	q, err := p.channel.QueueDeclarePassive(p.topology.Jobs(), true, false, false, false, nil)
	if err != nil || q.Messages != 0 {
		p.t.Errorf("%d messages are left over, %v", q.Messages, err)
	}
}

func (p *pair) row(ctx context.Context) (sent bool, attempts int, lastError string) {
	p.t.Helper()
	err := p.store.Pool().QueryRow(ctx, `SELECT sent_at IS NOT NULL, attempts, last_error FROM outbox`).
		Scan(&sent, &attempts, &lastError)
	if err != nil {
		p.t.Fatal(err)
	}
	return sent, attempts, lastError
}

func TestWhatWasBoughtReachesTheQueueInOrder(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	var want []string
	for range 5 {
		want = append(want, p.buy())
	}
	p.relay(step.Probe{})
	if diff := cmp.Diff(want, p.arrived(5)); diff != "" {
		t.Error(diff)
	}
	p.allMarked()
	if err := p.store.Redeliver(t.Context(), orderOf(t, p.store, want[0]), "", 1); err != nil {
		t.Fatal(err)
	}
	p.wake <- struct{}{}
	if diff := cmp.Diff(want[:1], p.arrived(1)); diff != "" {
		t.Errorf("a redelivery:\n%s", diff)
	}
}

func orderOf(t *testing.T, store *postgres.Store, messageID string) (id string) {
	t.Helper()
	err := store.Pool().QueryRow(t.Context(),
		`SELECT order_id FROM attempts WHERE message_id = $1`, messageID).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestARelayThatDiesBetweenPublishAndMark sends the message again, and it is the same message.
func TestARelayThatDiesBetweenPublishAndMark(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	id := p.buy()
	strike := newStrikeOnce(step.RelayPublished)
	p.relay(step.Probe{Recorder: strike})
	receive(t, "it dies there", strike.struck)
	if diff := cmp.Diff([]string{id, id}, p.arrived(2)); diff != "" {
		t.Error(diff)
	}
	p.allMarked()
}

func TestWhileTheBrokerIsDownTheRowsWait(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	up := p.publisher.URL
	p.publisher.URL = "amqp://127.0.0.1:1"
	id := p.buy()
	stop := p.relay(step.Probe{})
	eventually(t, "it was tried", func(ctx context.Context) (bool, error) {
		_, attempts, _ := p.row(ctx)
		return attempts > 0, nil
	})
	stop()
	if sent, _, lastError := p.row(t.Context()); sent || lastError == "" {
		t.Errorf("the row is sent: %v, its last error: %q", sent, lastError)
	}
	p.publisher.URL = up
	p.relay(step.Probe{})
	if diff := cmp.Diff([]string{id}, p.arrived(1)); diff != "" {
		t.Error(diff)
	}
	p.allMarked()
}

func TestARowThatCannotBeRoutedIsNotMarked(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	if err := p.publisher.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.channel.QueueUnbind(p.topology.Jobs(), "charge", p.exchange(), nil); err != nil {
		t.Fatal(err)
	}
	id := p.buy()
	p.relay(step.Probe{})
	eventually(t, "it was tried twice", func(ctx context.Context) (bool, error) {
		_, attempts, _ := p.row(ctx)
		return attempts > 1, nil
	})
	if sent, _, lastError := p.row(t.Context()); sent || lastError == "" {
		t.Errorf("the row is sent: %v, its last error: %q", sent, lastError)
	}
	if err := p.channel.QueueBind(p.topology.Jobs(), "charge", p.exchange(), false, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{id}, p.arrived(1)); diff != "" {
		t.Error(diff)
	}
	p.allMarked()
}
