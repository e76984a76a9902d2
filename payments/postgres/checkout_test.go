package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

// rowsOfCheckout counts what a checkout writes, by table.
func rowsOfCheckout(t *testing.T, store *postgres.Store) map[string]int {
	t.Helper()
	rows := map[string]int{}
	for _, table := range []string{"orders", "attempts", "outbox", "idempotency_keys"} {
		rows[table] = number(t, store, "SELECT count(*) FROM "+table)
	}
	return rows
}

func TestSaveCheckoutWritesAllFourRows(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	answer, c := checkout()
	if err := store.SaveCheckout(t.Context(), answer, c); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"orders": 1, "attempts": 1, "outbox": 1, "idempotency_keys": 1}
	if diff := cmp.Diff(want, rowsOfCheckout(t, store)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(c.Order, order(t, store, c.Order.ID)); diff != "" {
		t.Errorf("the order comes back different:\n%s", diff)
	}
	stored, err := store.FindAnswer(t.Context(), answer.Scope, answer.Key)
	if err != nil {
		t.Fatal(err)
	}
	stored.ExpiresAt = stored.ExpiresAt.UTC()
	if diff := cmp.Diff(answer, stored); diff != "" {
		t.Errorf("the stored answer comes back different:\n%s", diff)
	}
}

func TestSaveCheckoutWritesNothingWhenAnyOfItsStatementsFails(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"idempotency_keys", "orders", "attempts", "outbox"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			store := postgrestest.Open(t)
			execute(t, store, "ALTER TABLE "+table+" ADD CONSTRAINT broken CHECK (false)")
			answer, c := checkout()
			if err := store.SaveCheckout(t.Context(), answer, c); err == nil {
				t.Error("it succeeded")
			}
			want := map[string]int{"orders": 0, "attempts": 0, "outbox": 0, "idempotency_keys": 0}
			if diff := cmp.Diff(want, rowsOfCheckout(t, store)); diff != "" {
				t.Errorf("rows were left behind:\n%s", diff)
			}
		})
	}
}

func TestSaveCheckoutWritesNothingWhenTheStepBeforeCommitFails(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	recorder := postgres.NewRecorder(postgrestest.OpenWith(t, options), step.Process{})
	struck := store.WithProbe(step.Probe{Recorder: recorder})
	arm(t, store, step.Fault{Point: step.APIWritten, Action: step.Error, Times: 1, DurationMS: 1})
	answer, c := checkout()
	wantError(t, struck.SaveCheckout(t.Context(), answer, c), step.ErrInjected)
	if _, err := store.Order(t.Context(), c.Order.ID, ""); err == nil {
		t.Error("the order is there")
	}
	if err := struck.SaveCheckout(t.Context(), answer, c); err != nil {
		t.Errorf("the same key and order cannot be saved afterwards: %v", err)
	}
}

// gate is a recorder that stops every process that reaches a step until it is opened.
type gate struct {
	reached chan step.Name
	open    chan struct{}
}

func newGate() gate { return gate{make(chan step.Name), make(chan struct{})} }

func (g gate) Record(_ context.Context, name step.Name, _ step.Detail, _ ...step.Name) (step.Strike, error) {
	g.reached <- name
	<-g.open
	return step.Strike{}, nil
}

func (g gate) Await(context.Context, int64) error { return nil }

func TestOfTwoCheckoutsWithOneKey(t *testing.T) {
	t.Parallel()
	setup := func(t *testing.T, lockTimeout time.Duration) (
		first chan error, second *postgres.Store, g gate, a payments.Answer,
	) {
		t.Helper()
		options := postgrestest.Options(t)
		g = newGate()
		slow := postgrestest.OpenWith(t, options).WithProbe(step.Probe{Recorder: g})
		options.LockTimeout = lockTimeout
		second = postgrestest.OpenWith(t, options)
		answer, c := checkout()
		first = make(chan error, 1)
		go func() { first <- slow.SaveCheckout(t.Context(), answer, c) }()
		if name := receive(t, "the first stands before its COMMIT", g.reached); name != step.APIWritten {
			t.Fatalf("it stands at %s", name)
		}
		return first, second, g, answer
	}
	t.Run("the second is told that the first is still running", func(t *testing.T) {
		t.Parallel()
		first, second, g, answer := setup(t, 50*time.Millisecond)
		_, other := checkout()
		wantError(t, second.SaveCheckout(t.Context(), answer, other), payments.ErrKeyInProgress)
		close(g.open)
		if err := receive(t, "the first ends", first); err != nil {
			t.Error(err)
		}
		if n := number(t, second, "SELECT count(*) FROM orders"); n != 1 {
			t.Errorf("there are %d orders", n)
		}
	})
	t.Run("the second waits for the first and finds the key taken", func(t *testing.T) {
		t.Parallel()
		first, second, g, answer := setup(t, limit)
		result := make(chan error, 1)
		_, other := checkout()
		go func() { result <- second.SaveCheckout(t.Context(), answer, other) }()
		eventually(t, "the second waits for the first one's lock", func(ctx context.Context) (waits bool, err error) {
			err = second.Pool().QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid IN (
				SELECT pid FROM pg_stat_activity
				WHERE application_name = left('doublecharge ' || $1, 63)))`, t.Name()).Scan(&waits)
			return waits, err
		})
		close(g.open)
		if err := receive(t, "the first ends", first); err != nil {
			t.Error(err)
		}
		wantError(t, receive(t, "the second ends", result), payments.ErrKeyTaken)
		if n := number(t, second, "SELECT count(*) FROM orders"); n != 1 {
			t.Errorf("there are %d orders", n)
		}
	})
}

func TestAKeyIsTheAccountsOwn(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	answer, c := checkout()
	if err := store.SaveCheckout(t.Context(), answer, c); err != nil {
		t.Fatal(err)
	}
	_, again := checkout()
	wantError(t, store.SaveCheckout(t.Context(), answer, again), payments.ErrKeyTaken)
	answer.Scope = "mert"
	if err := store.SaveCheckout(t.Context(), answer, again); err != nil {
		t.Errorf("another account cannot use the same key: %v", err)
	}
}

func TestAnExpiredAnswerIsNotFoundAndItsKeyCanBeUsedAnew(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	answer, c := checkout()
	answer.ExpiresAt = time.Now().Add(-time.Second)
	if err := store.SaveCheckout(t.Context(), answer, c); err != nil {
		t.Fatal(err)
	}
	_, err := store.FindAnswer(t.Context(), answer.Scope, answer.Key)
	wantError(t, err, payments.ErrNotFound)
	if err := store.ForgetExpired(t.Context(), answer.Scope, answer.Key); err != nil {
		t.Fatal(err)
	}
	answer.ExpiresAt = time.Now().Add(time.Hour)
	_, again := checkout()
	if err := store.SaveCheckout(t.Context(), answer, again); err != nil {
		t.Errorf("the key cannot be used anew: %v", err)
	}
	if err := store.ForgetExpired(t.Context(), answer.Scope, answer.Key); err != nil {
		t.Fatal(err)
	}
	if _, err := store.FindAnswer(t.Context(), answer.Scope, answer.Key); err != nil {
		t.Errorf("an answer that is still good was forgotten: %v", err)
	}
}

func TestAnOrderHasAtMostOneOpenAndOnePaidAttempt(t *testing.T) {
	t.Parallel()
	for _, status := range []payments.AttemptStatus{
		payments.AttemptOpen, payments.AttemptPaid, payments.AttemptFailed,
	} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			store := postgrestest.Open(t)
			job := bought(t, store)
			execute(t, store, "UPDATE attempts SET status = $1", status)
			_, err := store.Pool().Exec(t.Context(), `INSERT INTO attempts
				(message_id, order_id, payment_method, status, strategy, created_at)
				VALUES ($1, $2, 'pm_card_visa', $3, 'naive', now())`, newID(), job.OrderID, status)
			refused := err != nil
			if want := status != payments.AttemptFailed; refused != want {
				t.Errorf("a second attempt that is %s: %v, want refused: %v", status, err, want)
			}
		})
	}
}

func TestTheStrategyIsTheSettingOfTheCheckoutsMoment(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	strategies := func() []string {
		batch, err := store.ClaimOutbox(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Release(t.Context())
		var names []string
		for _, row := range batch.Rows() {
			names = append(names, row.Job.Strategy)
		}
		return names
	}
	bought(t, store)
	if err := store.Change(t.Context(), step.Change{Strategy: new("naive")}, nil); err != nil {
		t.Fatal(err)
	}
	bought(t, store)
	answer, c := checkout()
	c.Strategy = "seen-set"
	if err := store.SaveCheckout(t.Context(), answer, c); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"seen-set-and-key", "naive", "seen-set"}, strategies()); diff != "" {
		t.Error(diff)
	}
}
