package lab_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
)

// limit bounds every wait of these tests. None comes near it unless something is wrong.
const limit = 30 * time.Second

// retryDelay is how long the retry queue of these tests holds a message: longer than any test looks.
const retryDelay = 10 * time.Minute

func TestMain(m *testing.M) { os.Exit(stacktest.Main(m)) }

// bank is the bank as a test wants it.
type bank struct {
	mu    sync.Mutex
	lines []payments.BankLine
	err   error
	since time.Time
}

func (b *bank) Charges(_ context.Context, since time.Time) ([]payments.BankLine, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.since = since
	return b.lines, b.err
}

func (b *bank) shows(lines []payments.BankLine, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines, b.err = lines, err
}

func (b *bank) askedSince() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.since
}

// bench is a lab with tables and queues of its own, and the test's way to them.
type bench struct {
	*lab.Lab
	t       *testing.T
	options postgres.Options
	bank    *bank
	channel *amqp.Channel
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
	topology := rabbit.Topology{Prefix: "test-" + uuid.NewString()[:8] + "."}
	delays := []time.Duration{retryDelay}
	if err := errors.Join(channel.Confirm(false), topology.Declare(channel, delays)); err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, options: postgrestest.Options(t), bank: &bank{}, channel: channel}
	b.Lab = &lab.Lab{
		Store:  postgrestest.OpenWith(t, b.options),
		Queues: &rabbit.Inspector{URL: url, Topology: topology, Delays: delays},
		Bank:   b.bank, Version: "test", Log: slog.New(slog.DiscardHandler),
	}
	t.Cleanup(func() {
		b.Queues.Close()
		for _, queue := range []string{topology.Jobs(), topology.Dead(), topology.Retry(retryDelay)} {
			_, _ = channel.QueueDelete(queue, false, false, false)
		}
		for _, exchange := range []string{"payments", "payments.dlx"} {
			_ = channel.ExchangeDelete(topology.Prefix+exchange, false, false)
		}
		_ = conn.Close()
	})
	return b
}

// buy saves a checkout of 420 lira and gives its order.
func (b *bench) buy() payments.Order {
	b.t.Helper()
	now := time.Now().UTC()
	order := payments.Order{
		ID: newID(), Account: "ayse", Status: payments.OrderPending, Amount: 42000, Currency: payments.TRY,
		Items: []payments.Item{{SKU: "filter-coffee", Quantity: 1}},
		Attempts: []payments.Attempt{
			{MessageID: newID(), PaymentMethod: "pm_card_visa", Status: payments.AttemptOpen},
		},
		CreatedAt: now,
	}
	answer := payments.Answer{
		Scope: "ayse", Key: newID(), Fingerprint: []byte{1}, Status: 202, Headers: map[string]string{},
		Body: []byte("{}"), Subject: order.ID, ExpiresAt: now.Add(time.Hour),
	}
	if err := b.Store.SaveCheckout(b.t.Context(), answer, payments.Checkout{Order: order}); err != nil {
		b.t.Fatal(err)
	}
	return order
}

// relay marks what is in the outbox as published, and delivered once.
func (b *bench) relay() {
	b.t.Helper()
	batch, err := b.Store.ClaimOutbox(b.t.Context(), 100)
	if err != nil {
		b.t.Fatal(err)
	}
	defer batch.Release(context.WithoutCancel(b.t.Context()))
	var ids []int64
	for _, row := range batch.Rows() {
		ids = append(ids, row.ID)
		_, err := b.Store.CountDelivery(b.t.Context(), row.Job)
		redelivered := false
		about := step.About(b.t.Context(), step.Subject{MessageID: row.Job.MessageID})
		step.Probe{Recorder: postgres.NewRecorder(b.Store, step.Process{})}.
			Note(about, step.BrokerDeliver, step.Detail{Redelivered: &redelivered})
		if err != nil {
			b.t.Fatal(err)
		}
	}
	if err := batch.Mark(b.t.Context(), ids, nil); err != nil {
		b.t.Fatal(err)
	}
}

// pay does to an order what a worker and a mailer do.
func (b *bench) pay(order payments.Order, chargeID string) {
	b.t.Helper()
	job := payments.ChargeJob{
		MessageID: order.Attempts[0].MessageID, OrderID: order.ID, Account: order.Account,
		Amount: order.Amount, Currency: order.Currency,
	}
	key, outcome := payments.Key(job.MessageID), payments.Outcome{ChargeID: chargeID}
	if err := postgres.NewLedger(b.Store).ApplyOnce(b.t.Context(), key, job, outcome); err != nil {
		b.t.Fatal(err)
	}
	letter, err := b.Store.ClaimMail(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	err = b.Store.Post(b.t.Context(), order.ID, payments.ReceiptKind)
	if err := errors.Join(err, letter.Mark(b.t.Context())); err != nil {
		b.t.Fatal(err)
	}
}

// publish puts a message into a queue.
func (b *bench) publish(queue string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), limit)
	defer cancel()
	message := amqp.Publishing{MessageId: newID(), DeliveryMode: amqp.Persistent}
	confirm, err := b.channel.PublishWithDeferredConfirmWithContext(ctx, "", queue, true, false, message)
	if err != nil {
		b.t.Fatal(err)
	}
	if stored, err := confirm.WaitContext(ctx); err != nil || !stored {
		b.t.Fatalf("the broker stored it: %v, %v", stored, err)
	}
}

// drain empties a queue.
func (b *bench) drain(queue string) {
	b.t.Helper()
	if _, err := b.channel.QueuePurge(queue, false); err != nil {
		b.t.Fatal(err)
	}
}

// worker registers this process as a worker that consumes, and gives its trace.
func (b *bench) worker() *postgres.Recorder {
	b.t.Helper()
	instance, err := postgres.Join(b.t.Context(), postgrestest.URL(b.t), b.options, "worker", 1)
	if err != nil {
		b.t.Fatal(err)
	}
	instance.SetReady(true)
	b.eventually("the worker is ready", func(ctx context.Context) (bool, error) {
		roles, err := b.Store.ReadyRoles(ctx)
		return roles["worker"], err
	})
	return postgres.NewRecorder(b.Store, instance.Process)
}

// count asks the database for one number.
func (b *bench) count(query string) int {
	b.t.Helper()
	var n int
	if err := b.Store.Pool().QueryRow(b.t.Context(), query).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

func (b *bench) record(r *postgres.Recorder, name step.Name, messageID string) {
	b.t.Helper()
	ctx := step.About(b.t.Context(), step.Subject{MessageID: messageID})
	if _, err := r.Record(ctx, name, step.Detail{}); err != nil {
		b.t.Fatal(err)
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// eventually asks again and again until the answer is yes.
func (b *bench) eventually(what string, yes func(context.Context) (bool, error)) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), limit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := yes(ctx)
		if err != nil {
			b.t.Fatalf("%s: %v", what, err)
		}
		if ok {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			b.t.Fatalf("never: %s", what)
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

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("the error is %v, want %v", err, want)
	}
}
