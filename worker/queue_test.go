package worker_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/worker"
	"example.com/doublecharge/worker/seenset"
	"example.com/doublecharge/worker/strategy"
	"example.com/doublecharge/worker/strategy/strategytest"
)

// shop is a worker on the real queue and the real tables. Only the bank is the test's.
type shop struct {
	t        *testing.T
	store    *postgres.Store
	topology rabbit.Topology
	channel  *amqp.Channel
}

func newShop(t *testing.T, bank strategy.Bank, delays ...time.Duration) *shop {
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
	s := &shop{t, postgrestest.Open(t), rabbit.Topology{Prefix: "test-" + uuid.NewString()[:8] + "."}, channel}
	if err := s.topology.Declare(channel, delays); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		queues := []string{s.topology.Jobs(), s.topology.Dead()}
		for _, delay := range delays {
			queues = append(queues, s.topology.Retry(delay))
		}
		for _, queue := range queues {
			_, _ = channel.QueueDelete(queue, false, false, false)
		}
		for _, exchange := range []string{"payments", "payments.dlx"} {
			_ = channel.ExchangeDelete(s.topology.Prefix+exchange, false, false)
		}
		_ = conn.Close()
	})
	s.work(url, bank, delays)
	return s
}

// work runs the worker and the keeper of dead letters until the test is over.
func (s *shop) work(url string, bank strategy.Bank, delays []time.Duration) {
	log := quietly()
	handler := &worker.Worker{
		Strategies: strategy.All(strategy.Tools{
			Bank: bank, Seen: seenset.NewPostgres(s.store.Pool()), Ledger: postgres.NewLedger(s.store),
		}),
		Attempts: s.store, Log: log,
		Delays: func(context.Context) []time.Duration { return delays },
		Now:    func(context.Context) (time.Time, error) { return time.Now(), nil },
	}
	dead := worker.DeadLetters{Keep: s.store.KeepDeadLetter, Deliveries: s.store.Deliveries, Log: log}
	publisher := &rabbit.Publisher{URL: url, Topology: s.topology, Delays: delays, Name: "test"}
	ctx, cancel := context.WithCancel(s.t.Context())
	var running sync.WaitGroup
	for queue, handle := range map[string]func(context.Context, *rabbit.Delivery){
		s.topology.Jobs(): func(ctx context.Context, d *rabbit.Delivery) { handler.Handle(ctx, d) },
		s.topology.Dead(): func(ctx context.Context, d *rabbit.Delivery) { dead.Handle(ctx, d) },
	} {
		c := rabbit.Consumer{
			URL: url, Topology: s.topology, Delays: delays, Queue: queue, Publisher: publisher, Log: log,
		}
		running.Go(func() {
			if err := c.Run(ctx, handle); err != nil {
				s.t.Error(err)
			}
		})
	}
	s.t.Cleanup(func() {
		cancel()
		running.Wait()
		publisher.Close()
	})
}

// buy saves a checkout and gives the job of it.
func (s *shop) buy() payments.ChargeJob {
	s.t.Helper()
	newID := func() string { return uuid.Must(uuid.NewV7()).String() }
	bought := someJob("seen-set-and-key")
	bought.MessageID, bought.OrderID, bought.CreatedAt = newID(), newID(), time.Now().UTC()
	err := s.store.SaveCheckout(s.t.Context(),
		payments.Answer{
			Scope: "ayse", Key: newID(), Fingerprint: []byte{1}, Status: 202, Headers: map[string]string{},
			Body: []byte("{}"), ExpiresAt: bought.CreatedAt,
		},
		payments.Checkout{Order: payments.Order{
			ID: bought.OrderID, Account: "ayse", Status: payments.OrderPending, Amount: 42000, Currency: payments.TRY,
			Items: []payments.Item{{SKU: "filter-coffee", Quantity: 1}},
			Attempts: []payments.Attempt{
				{MessageID: bought.MessageID, PaymentMethod: "pm_card_visa", Status: payments.AttemptOpen},
			},
			CreatedAt: bought.CreatedAt,
		}})
	if err != nil {
		s.t.Fatal(err)
	}
	return bought
}

func (s *shop) publish(id string, body []byte) {
	s.t.Helper()
	err := s.channel.PublishWithContext(s.t.Context(), s.topology.Prefix+"payments", "charge", true, false,
		amqp.Publishing{MessageId: id, Body: body, DeliveryMode: amqp.Persistent})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) becomes(orderID string, status payments.OrderStatus) payments.Order {
	s.t.Helper()
	var order payments.Order
	eventually(s.t, fmt.Sprintf("the order is %s", status), func(ctx context.Context) (_ bool, err error) {
		order, err = s.store.Order(ctx, orderID, "")
		return order.Status == status, err
	})
	return order
}

func TestMalformedMessagesEndInTheTableWithAReasonWhileTheirNeighboursGoOn(t *testing.T) {
	t.Parallel()
	bank := &strategytest.NewWorld().Bank
	s := newShop(t, bank)
	before, after, strange := s.buy(), s.buy(), s.buy()
	strange.Strategy = "hope"
	noUUID, nul := someJob("naive"), someJob("naive")
	noUUID.MessageID, nul.MessageID, nul.OrderID = "m-1", "\x00", "\x00"
	malformed := []struct {
		id   string
		body []byte
	}{
		{"", bodyOf(before)},
		{"garbage", []byte("{]")},
		{"empty", nil},
		{"null", []byte("null")},
		{"not utf-8 \xff", []byte("\xff\x00")},
		{nul.MessageID, bodyOf(nul)},
		{noUUID.MessageID, bodyOf(noUUID)},
		{uuid.NewString(), bodyOf(before)},
		{strange.MessageID, bodyOf(strange)},
	}
	s.publish(before.MessageID, bodyOf(before))
	for _, m := range malformed {
		s.publish(m.id, m.body)
	}
	s.publish(after.MessageID, bodyOf(after))
	for _, good := range []payments.ChargeJob{before, after} {
		if order := s.becomes(good.OrderID, payments.OrderPaid); order.Points != 420 {
			t.Errorf("the order has %d points", order.Points)
		}
	}
	var letters []payments.DeadLetter
	eventually(t, "every malformed message is in the table", func(ctx context.Context) (_ bool, err error) {
		letters, err = s.store.DeadLetters(ctx)
		return len(letters) >= len(malformed), err
	})
	kept := map[string]bool{}
	for _, letter := range letters {
		kept[string(letter.Body)] = true
		if letter.Reason != "hopeless" || letter.FirstError == "" || letter.LastError == "" {
			t.Errorf("the letter of %q says: %+v", letter.MessageID, letter)
		}
	}
	for _, m := range malformed {
		if !kept[string(m.body)] {
			t.Errorf("the message %q with the body %q is not kept", m.id, m.body)
		}
	}
	s.becomes(strange.OrderID, payments.OrderNeedsAttention)
	for _, good := range []payments.ChargeJob{before, after} {
		if n := bank.Charges(good.MessageID); n != 1 {
			t.Errorf("a good job was charged %d times", n)
		}
	}
	if calls := bank.Calls(); len(calls) != 2 {
		t.Errorf("the bank was called: %v", calls)
	}
}

func TestAnUnknownOutcomeGoesRoundAndIsThenAPersonsAffair(t *testing.T) {
	t.Parallel()
	bank := &tools{err: fmt.Errorf("%w: the answer was lost", payments.ErrUnknown)}
	s := newShop(t, bank, 50*time.Millisecond, 100*time.Millisecond)
	bought := s.buy()
	s.publish(bought.MessageID, bodyOf(bought))
	s.becomes(bought.OrderID, payments.OrderNeedsAttention)
	letters, err := s.store.DeadLetters(t.Context())
	if err != nil || len(letters) != 1 {
		t.Fatalf("%d dead letters, %v", len(letters), err)
	}
	want := payments.DeadLetter{
		MessageID: bought.MessageID, OrderID: bought.OrderID, Reason: "retries-exhausted",
		FirstError: bank.err.Error(), LastError: bank.err.Error(), Deliveries: 3,
		At: letters[0].At, Body: bodyOf(bought),
	}
	if diff := cmp.Diff(want, letters[0]); diff != "" {
		t.Error(diff)
	}
}

func TestAMessageThatComesTwiceIsHandledOnceByTheDefault(t *testing.T) {
	t.Parallel()
	s := newShop(t, &strategytest.NewWorld().Bank)
	bought, next := s.buy(), s.buy()
	for range 3 {
		s.publish(bought.MessageID, bodyOf(bought))
	}
	s.publish(next.MessageID, bodyOf(next)) // When it is paid, all three were handled.
	s.becomes(next.OrderID, payments.OrderPaid)
	order := s.becomes(bought.OrderID, payments.OrderPaid)
	if n, err := s.store.Deliveries(t.Context(), bought.OrderID); err != nil || n != 3 || order.Points != 420 {
		t.Errorf("after %d deliveries the order has %d points, %v", n, order.Points, err)
	}
}
