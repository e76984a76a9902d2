package postgres_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// limit bounds every wait of these tests. None comes near it unless something is wrong.
const limit = 30 * time.Second

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		os.Exit(beProcess())
	}
	goleak.VerifyTestMain(served{m},
		goleak.IgnoreTopFunction("example.com/doublecharge/lab/stack.WatchParent.func1")) // It ends with the process.
}

// served runs the tests with servers around them.
type served struct{ m *testing.M }

func (s served) Run() int { return stacktest.Main(s.m) }

// checkout makes an order of one filter coffee, 420 lira, and the answer that is saved with it.
func checkout() (payments.Answer, payments.Checkout) {
	now := time.Now().UTC().Truncate(time.Microsecond)
	order := payments.Order{
		ID: newID(), Account: "ayse", Status: payments.OrderPending, Amount: 42000, Currency: payments.TRY,
		Items: []payments.Item{{SKU: "filter-coffee", Quantity: 1}},
		Attempts: []payments.Attempt{
			{MessageID: newID(), PaymentMethod: "pm_card_visa", Status: payments.AttemptOpen},
		},
		CreatedAt: now,
	}
	answer := payments.Answer{
		Scope: "ayse", Key: newID(), Fingerprint: []byte("sha"), Status: 202,
		Headers: map[string]string{"Location": "/v1/orders/" + order.ID}, Body: []byte(`{"id" :1}`),
		Subject: order.ID, ExpiresAt: now.Add(24 * time.Hour),
	}
	return answer, payments.Checkout{Order: order}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// bought saves a checkout and gives the job that its outbox row asks for.
func bought(t *testing.T, store *postgres.Store) payments.ChargeJob {
	t.Helper()
	answer, c := checkout()
	if err := store.SaveCheckout(t.Context(), answer, c); err != nil {
		t.Fatal(err)
	}
	return jobOf(c)
}

func jobOf(c payments.Checkout) payments.ChargeJob {
	return payments.ChargeJob{
		MessageID: c.Order.Attempts[0].MessageID, OrderID: c.Order.ID, Account: c.Order.Account,
		Amount: c.Order.Amount, Currency: c.Order.Currency, PaymentMethod: c.Order.Attempts[0].PaymentMethod,
		Strategy: step.DefaultSettings().Strategy, CreatedAt: c.Order.CreatedAt,
	}
}

// number asks the database for one number.
func number(t *testing.T, store *postgres.Store, query string, args ...any) int {
	t.Helper()
	var n int
	if err := store.Pool().QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// execute runs a statement that the store itself would never run.
func execute(t *testing.T, store *postgres.Store, statement string, args ...any) {
	t.Helper()
	if _, err := store.Pool().Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

func order(t *testing.T, store *postgres.Store, id string) payments.Order {
	t.Helper()
	found, err := store.Order(t.Context(), id, "")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// eventually asks again and again until the answer is yes.
func eventually(t *testing.T, what string, yes func(context.Context) (bool, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := yes(ctx)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if ok {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		}
	}
}

// receive takes one value that must come.
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
