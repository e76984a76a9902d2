package postgres_test

import (
	"sync"
	"testing"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
)

const redriveLimit = 23 * time.Hour

// died keeps a dead letter of the job, as the worker does.
func died(t *testing.T, store *postgres.Store, messageID string) {
	t.Helper()
	letter := payments.DeadLetter{MessageID: messageID, Reason: "retries-exhausted", LastError: "no answer"}
	if err := store.KeepDeadLetter(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
}

// redriven presses once, and gives the outcomes by message id.
func redriven(t *testing.T, store *postgres.Store, dry bool) map[string]payments.RedriveOutcome {
	t.Helper()
	letters, err := store.Redrive(t.Context(), redriveLimit, dry)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]payments.RedriveOutcome{}
	for _, letter := range letters {
		outcomes[letter.MessageID] = letter.Outcome
	}
	return outcomes
}

// unsent is how many outbox rows of the message are still to be published.
func unsent(t *testing.T, store *postgres.Store, messageID string) int {
	t.Helper()
	return number(t, store, `SELECT count(*) FROM outbox WHERE message_id = $1 AND sent_at IS NULL`, messageID)
}

// TestRedriveSendsTheSameMessageOnce: dry it changes nothing; twice kept, it is one message; a second press finds
// nothing.
func TestRedriveSendsTheSameMessageOnce(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	job := bought(t, store)
	execute(t, store, `UPDATE outbox SET sent_at = now()`)
	died(t, store, job.MessageID)
	died(t, store, job.MessageID) // The ack of the first was lost.
	for range 2 {
		got, waits := redriven(t, store, true)[job.MessageID], unsent(t, store, job.MessageID)
		if got != payments.RedriveSent || waits != 0 {
			t.Fatalf("dry: %q, %d in the outbox", got, waits)
		}
	}
	if got := redriven(t, store, false)[job.MessageID]; got != payments.RedriveSent {
		t.Errorf("the first press: %q", got)
	}
	if got := order(t, store, job.OrderID); got.Status != payments.OrderPending ||
		got.Attempts[0].Status != payments.AttemptOpen {
		t.Errorf("the order is %s, its attempt %s", got.Status, got.Attempts[0].Status)
	}
	if again := redriven(t, store, false); len(again) != 0 || unsent(t, store, job.MessageID) != 1 {
		t.Errorf("the second press: %v, %d in the outbox", again, unsent(t, store, job.MessageID))
	}
	died(t, store, job.MessageID) // It failed once more.
	got, waits := redriven(t, store, false)[job.MessageID], unsent(t, store, job.MessageID)
	if got != payments.RedriveSent || waits != 2 {
		t.Errorf("after it died again: %q, %d in the outbox", got, waits)
	}
}

// TestRedriveRefusesAndHolds: what is settled, on its way, too old for the bank's key memory, or no message of ours
// stays where it is.
func TestRedriveRefusesAndHolds(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	settled, underWay, old, fresh := bought(t, store), bought(t, store), bought(t, store), bought(t, store)
	execute(t, store, `UPDATE outbox SET sent_at = now()`)
	strangers := []payments.ChargeJob{{MessageID: "no uuid"}, {MessageID: newID()}}
	for _, job := range append(strangers, settled, underWay, old, fresh) {
		died(t, store, job.MessageID)
	}
	if err := postgres.NewLedger(store).Apply(t.Context(), settled, payments.Outcome{ChargeID: "ch_1"}); err != nil {
		t.Fatal(err)
	}
	execute(t, store, `UPDATE attempts SET status = 'open' WHERE message_id = $1`, underWay.MessageID)
	execute(t, store, `UPDATE attempts SET created_at = now() - $2::interval WHERE message_id = $1`,
		old.MessageID, redriveLimit)
	want := map[string]payments.RedriveOutcome{
		settled.MessageID: payments.RedriveSettled, underWay.MessageID: payments.RedriveUnderWay,
		old.MessageID: payments.RedriveTooOld, fresh.MessageID: payments.RedriveSent,
		"no uuid": payments.RedriveUnreadable,
	}
	got := redriven(t, store, false)
	for id, outcome := range want {
		if got[id] != outcome {
			t.Errorf("%s: %q, not %q", id, got[id], outcome)
		}
	}
	if n := number(t, store, `SELECT count(*) FROM outbox WHERE sent_at IS NULL`); n != 1 || len(got) != 6 {
		t.Errorf("%d messages go back, %d letters are told of", n, len(got))
	}
}

// TestRedriveGoesByTheLabsClock: a day that was only said to go by makes the bank forget, too.
func TestRedriveGoesByTheLabsClock(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	job := bought(t, store)
	died(t, store, job.MessageID)
	if _, err := store.Advance(t.Context(), 25*time.Hour); err != nil {
		t.Fatal(err)
	}
	if got := redriven(t, store, false)[job.MessageID]; got != payments.RedriveTooOld {
		t.Errorf("it is %q", got)
	}
}

// TestRedriveAtTheSameTime: eight people press, and the message goes back once.
func TestRedriveAtTheSameTime(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	job := bought(t, store)
	execute(t, store, `UPDATE outbox SET sent_at = now()`)
	died(t, store, job.MessageID)
	var pressing sync.WaitGroup
	for range 8 {
		pressing.Go(func() {
			if _, err := store.Redrive(t.Context(), redriveLimit, false); err != nil {
				t.Error(err)
			}
		})
	}
	pressing.Wait()
	if n := unsent(t, store, job.MessageID); n != 1 {
		t.Errorf("it goes back %d times", n)
	}
}
