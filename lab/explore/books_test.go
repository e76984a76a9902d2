package explore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/worker/seenset"
)

func TestMain(m *testing.M) { os.Exit(stacktest.Main(m)) }

// real is PostgreSQL with two orders.
type real struct {
	store     *postgres.Store
	ledger    *postgres.Ledger
	seen      seenset.Postgres
	unguarded seenset.Unguarded
	claims    seenset.Claims
	jobs      [2]payments.ChargeJob
}

func newReal(t *testing.T) *real {
	t.Helper()
	store := postgrestest.Open(t)
	return &real{
		store: store, ledger: postgres.NewLedger(store), seen: seenset.NewPostgres(store.Pool()),
		unguarded: seenset.NewUnguarded(store.Pool()), claims: seenset.NewClaims(store.Pool()),
	}
}

// begin wipes the tables and buys twice.
func (r *real) begin(ctx context.Context) error {
	if err := errors.Join(r.store.BeginReset(ctx), r.store.FinishReset(ctx)); err != nil {
		return err
	}
	for i := range r.jobs {
		attempt := payments.Attempt{MessageID: uuid.NewString(), PaymentMethod: "pm_card_visa", Status: "open"}
		order := payments.Order{
			ID: uuid.NewString(), Account: "ayse", Status: payments.OrderPending, Amount: 42000, Currency: payments.TRY,
			Items: []payments.Item{{SKU: "filter-coffee", Quantity: 1}}, Attempts: []payments.Attempt{attempt},
			CreatedAt: time.Now().UTC(),
		}
		answer := payments.Answer{
			Scope: "ayse", Key: order.ID, Fingerprint: []byte{1}, Status: 202, Headers: map[string]string{},
			Body: []byte("{}"), ExpiresAt: time.Now().Add(time.Hour),
		}
		if err := r.store.SaveCheckout(ctx, answer, payments.Checkout{Order: order}); err != nil {
			return err
		}
		r.jobs[i] = payments.ChargeJob{
			MessageID: attempt.MessageID, OrderID: order.ID, Account: "ayse", Amount: 42000, Currency: payments.TRY,
		}
	}
	return nil
}

// order reads an order as the model shows one. A receipt that is owed counts as one.
func (r *real) order(ctx context.Context, i int) (o explore.Outcome, chargeID string, err error) {
	order, err := r.store.Order(ctx, r.jobs[i].OrderID, "")
	if err != nil {
		return o, "", err
	}
	err = r.store.Pool().QueryRow(ctx, `SELECT count(*) FROM mail_outbox WHERE order_id = $1`, order.ID).
		Scan(&o.Receipts)
	o.Status, o.Points = order.Status, int(order.Points/420)
	return o, order.Attempts[0].ChargeID, err
}

// TestTheModelsBooksArePostgreSQLs does the same things to both in the same order.
func TestTheModelsBooksArePostgreSQLs(t *testing.T) {
	t.Parallel()
	books := newReal(t)
	ctx := t.Context()
	rapid.Check(t, func(t *rapid.T) {
		if err := books.begin(ctx); err != nil {
			t.Fatal(err)
		}
		both := &both{real: books, model: explore.NewBooks()}
		for range rapid.IntRange(1, 12).Draw(t, "operations") {
			both.operate(ctx, t)
			for i := range 2 {
				want := both.model.Order(i)
				got, chargeID, err := books.order(ctx, i)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" || chargeID != both.model.ChargeID(i) {
					t.Fatalf("order %d: charge %q, model %q (-model +real):\n%s", i, chargeID,
						both.model.ChargeID(i), diff)
				}
			}
		}
	})
}

// both are the real books and the model's, and the claims that were taken so far.
type both struct {
	real   *real
	model  *explore.Books
	claims []payments.Claim
	n      int
}

// operate draws one operation, does it to both, and compares their answers.
func (b *both) operate(ctx context.Context, t *rapid.T) {
	key := rapid.SampledFrom([]payments.Key{"k1", "k2"}).Draw(t, "key")
	order := rapid.IntRange(0, 1).Draw(t, "order")
	unguarded := rapid.Bool().Draw(t, "unguarded")
	job := b.real.jobs[order]
	b.n++
	outcome := payments.Outcome{ChargeID: fmt.Sprintf("ch_%d", b.n)}
	var real, model error
	switch what := rapid.SampledFrom([]string{
		"seen", "mark", "apply", "apply once", "claim", "complete", "leases end", "park",
	}).Draw(t, "what"); what {
	case "seen":
		var yes bool
		if unguarded {
			yes, real = b.real.unguarded.Seen(ctx, key)
		} else {
			yes, real = b.real.seen.Seen(ctx, key)
		}
		if want := b.model.Seen(unguarded, key); yes != want {
			t.Fatalf("seen %s: %t, model %t", key, yes, want)
		}
	case "mark":
		if model = b.model.Mark(unguarded, key); unguarded {
			real = b.real.unguarded.Mark(ctx, key)
		} else {
			real = b.real.seen.Mark(ctx, key)
		}
	case "apply":
		b.model.Apply(order, outcome)
		real = b.real.ledger.Apply(ctx, job, outcome)
	case "apply once":
		real, model = b.real.ledger.ApplyOnce(ctx, key, job, outcome), b.model.ApplyOnce(key, order, outcome)
	case "claim":
		real, model = b.claim(ctx, t, key)
	case "complete":
		if len(b.claims) > 0 {
			claim := rapid.SampledFrom(b.claims).Draw(t, "claim")
			real, model = b.real.ledger.Complete(ctx, claim, job, outcome), b.model.Complete(claim, order, outcome)
		}
	case "leases end":
		b.model.EndLeases()
		real = b.real.store.EndLeases(ctx)
	case "park":
		b.model.Park(order)
		real = b.real.store.KeepDeadLetter(ctx, payments.DeadLetter{MessageID: job.MessageID, OrderID: job.OrderID})
	}
	if !errors.Is(real, model) || (model == nil) != (real == nil) {
		t.Fatalf("PostgreSQL says %v, the model %v", real, model)
	}
}

func (b *both) claim(ctx context.Context, t *rapid.T, key payments.Key) (real, model error) {
	got, real := b.real.claims.Claim(ctx, key, time.Hour)
	want, model := b.model.Claim(key)
	if real == nil {
		if got.Fence != want.Fence {
			t.Fatalf("fence %d, model %d", got.Fence, want.Fence)
		}
		b.claims = append(b.claims, payments.Claim{Key: got.Key, Fence: got.Fence})
	}
	return real, model
}
