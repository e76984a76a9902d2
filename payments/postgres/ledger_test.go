package postgres_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
)

var (
	charged  = payments.Outcome{ChargeID: "ch_1"}
	declined = payments.Outcome{ChargeID: "ch_declined", Declined: "card_declined"}
)

// books is what the ledger made of an order.
type books struct {
	Status   payments.OrderStatus
	Attempt  payments.AttemptStatus
	ChargeID string
	Points   int64
	Owed     int // letters
}

func booksOf(t *testing.T, store *postgres.Store, job payments.ChargeJob) books {
	t.Helper()
	o := order(t, store, job.OrderID)
	return books{
		o.Status, o.Attempts[0].Status, o.Attempts[0].ChargeID, o.Points,
		number(t, store, "SELECT count(*) FROM mail_outbox WHERE order_id = $1", job.OrderID),
	}
}

func TestApplyTwiceGivesPointsTwiceAndOneReceiptAndTheFirstCharge(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	ledger, job := postgres.NewLedger(store), bought(t, store)
	for _, outcome := range []payments.Outcome{{ChargeID: "ch_1"}, {ChargeID: "ch_2"}} {
		if err := ledger.Apply(t.Context(), job, outcome); err != nil {
			t.Fatal(err)
		}
	}
	want := books{payments.OrderPaid, payments.AttemptPaid, "ch_1", 840, 1}
	if diff := cmp.Diff(want, booksOf(t, store, job)); diff != "" {
		t.Error(diff)
	}
}

func TestApplyOnceHappensOnceHoweverManyTry(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	ledger, job := postgres.NewLedger(store), bought(t, store)
	var applied, done atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			err := ledger.ApplyOnce(t.Context(), payments.Key(job.MessageID), job, charged)
			switch {
			case err == nil:
				applied.Add(1)
			case errors.Is(err, payments.ErrAlreadyDone):
				done.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if applied.Load() != 1 || done.Load() != 19 {
		t.Errorf("%d applied and %d were told that it is done", applied.Load(), done.Load())
	}
	want := books{payments.OrderPaid, payments.AttemptPaid, "ch_1", 420, 1}
	if diff := cmp.Diff(want, booksOf(t, store, job)); diff != "" {
		t.Error(diff)
	}
}

func TestApplyOnceLeavesNoMarkWhenTheEffectsFail(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	ledger, job := postgres.NewLedger(store), bought(t, store)
	execute(t, store, "ALTER TABLE mail_outbox ADD CONSTRAINT broken CHECK (false)")
	if err := ledger.ApplyOnce(t.Context(), "key", job, charged); err == nil {
		t.Fatal("it succeeded")
	}
	want := books{Status: payments.OrderPending, Attempt: payments.AttemptOpen}
	if diff := cmp.Diff(want, booksOf(t, store, job)); diff != "" {
		t.Errorf("effects were left behind:\n%s", diff)
	}
	execute(t, store, "ALTER TABLE mail_outbox DROP CONSTRAINT broken")
	if err := ledger.ApplyOnce(t.Context(), "key", job, charged); err != nil {
		t.Errorf("the mark was left behind: %v", err)
	}
}

// TestALateLoserNeverOverwritesAWinner applies outcomes in turn.
func TestALateLoserNeverOverwritesAWinner(t *testing.T) {
	t.Parallel()
	needsAttention := func(t *testing.T, store *postgres.Store, job payments.ChargeJob) {
		t.Helper()
		if err := store.KeepDeadLetter(t.Context(), payments.DeadLetter{MessageID: job.MessageID}); err != nil {
			t.Fatal(err)
		}
	}
	outcome := func(o payments.Outcome) func(*testing.T, *postgres.Store, payments.ChargeJob) {
		return func(t *testing.T, store *postgres.Store, job payments.ChargeJob) {
			t.Helper()
			if err := postgres.NewLedger(store).Apply(t.Context(), job, o); err != nil {
				t.Fatal(err)
			}
		}
	}
	refunded := func(t *testing.T, store *postgres.Store, _ payments.ChargeJob) {
		t.Helper()
		execute(t, store, `UPDATE orders SET status = 'refunded'`)
		execute(t, store, `UPDATE attempts SET status = 'refunded'`)
	}
	type event = func(*testing.T, *postgres.Store, payments.ChargeJob)
	paid := books{payments.OrderPaid, payments.AttemptPaid, "ch_1", 420, 1}
	failed := books{Status: payments.OrderFailed, Attempt: payments.AttemptFailed, ChargeID: "ch_declined"}
	for name, test := range map[string]struct {
		events []event
		want   books
	}{
		"a decline":                       {[]event{outcome(declined)}, failed},
		"a decline after the charge":      {[]event{outcome(charged), outcome(declined)}, paid},
		"a charge after the decline":      {[]event{outcome(declined), outcome(charged)}, paid},
		"a charge after somebody looked":  {[]event{needsAttention, outcome(charged)}, paid},
		"a decline after somebody looked": {[]event{needsAttention, outcome(declined)}, failed},
		"a dead letter after the charge":  {[]event{outcome(charged), needsAttention}, paid},
		"a dead letter after the decline": {[]event{outcome(declined), needsAttention}, failed},
		"a second charge after a refund": {
			[]event{outcome(charged), refunded, outcome(payments.Outcome{ChargeID: "ch_2"})},
			books{payments.OrderRefunded, payments.AttemptRefunded, "ch_1", 840, 1},
		},
		"a dead letter of an open attempt": {
			[]event{needsAttention},
			books{Status: payments.OrderNeedsAttention, Attempt: payments.AttemptNeedsAttention},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := postgrestest.Open(t)
			job := bought(t, store)
			for _, happens := range test.events {
				happens(t, store, job)
			}
			if diff := cmp.Diff(test.want, booksOf(t, store, job)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestKeepDeadLetterKeepsWhateverTheMessageSaid(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	ordinary := payments.DeadLetter{
		MessageID: "m-1", OrderID: "o-1", Reason: "hopeless", FirstError: "one", LastError: "two", Deliveries: 3,
		Body: []byte("{}"),
	}
	for name, test := range map[string]struct{ said, kept payments.DeadLetter }{
		"an ordinary one": {ordinary, ordinary},
		"what no text column takes": {
			payments.DeadLetter{
				MessageID: "m\x00\xff", OrderID: "o\x00", Reason: "r\x00", FirstError: "\xff", LastError: "\x00",
				Body: []byte("\x00\xff"),
			},
			payments.DeadLetter{
				MessageID: "m\uFFFD\uFFFD", OrderID: "o\uFFFD", Reason: "r\uFFFD", FirstError: "\uFFFD",
				LastError: "\uFFFD", Body: []byte("\x00\xff"),
			},
		},
		"an empty one": {payments.DeadLetter{}, payments.DeadLetter{Body: []byte{}}},
	} {
		if err := store.KeepDeadLetter(t.Context(), test.said); err != nil {
			t.Errorf("%s is not kept: %v", name, err)
			continue
		}
		letters, err := store.DeadLetters(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		test.kept.At = letters[0].At
		if diff := cmp.Diff(test.kept, letters[0]); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestDeliveriesAreCounted(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	job := bought(t, store)
	for want := 1; want <= 3; want++ {
		if got, err := store.CountDelivery(t.Context(), job); err != nil || got != want {
			t.Errorf("delivery %d is counted as %d, %v", want, got, err)
		}
	}
	if n, err := store.Deliveries(t.Context(), job.OrderID); err != nil || n != 3 {
		t.Errorf("the order had %d deliveries, %v", n, err)
	}
	for id, want := range map[string]error{
		newID():      payments.ErrNotFound,
		"not a uuid": payments.ErrInvalid,
		"nul \x00":   payments.ErrInvalid,
		"utf-8 \xff": payments.ErrInvalid,
	} {
		if _, err := store.CountDelivery(t.Context(), payments.ChargeJob{MessageID: id}); !errors.Is(err, want) {
			t.Errorf("the delivery of %q gives %v, want %v", id, err, want)
		}
	}
}

func TestRedeliverAsksForTheSameMessageAgain(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	job := bought(t, store)
	if err := store.Redeliver(t.Context(), job.OrderID, "", 2); err != nil {
		t.Fatal(err)
	}
	if n := number(t, store, "SELECT count(*) FROM outbox WHERE message_id = $1", job.MessageID); n != 3 {
		t.Errorf("the outbox has the message %d times, want 3", n)
	}
	wantError(t, store.Redeliver(t.Context(), newID(), "", 1), payments.ErrNotFound)
	wantError(t, store.Redeliver(t.Context(), job.OrderID, newID(), 1), payments.ErrNotFound)
}
