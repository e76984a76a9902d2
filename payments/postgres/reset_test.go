package postgres_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

func TestBeginResetTakesTheAttemptOfWhateverIsOnItsWay(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	job := bought(t, store)
	publish(t, store, nil)
	if err := store.BeginReset(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := store.CountDelivery(t.Context(), job)
	wantError(t, err, payments.ErrNotFound)
	wantError(t, postgres.NewLedger(store).Apply(t.Context(), job, charged), payments.ErrNotFound)
}

func TestAResetWipesTheTableAndKeepsTheSettingsAndGoesOnCounting(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	job := bought(t, store)
	if err := postgres.NewLedger(store).ApplyOnce(t.Context(), "key", job, charged); err != nil {
		t.Fatal(err)
	}
	execute(t, store, "INSERT INTO seen_list (key) VALUES ('key')")
	execute(t, store, "INSERT INTO claims (key, fence, until) VALUES ('key', 1, now())")
	if err := store.Post(t.Context(), job.OrderID, payments.ReceiptKind); err != nil {
		t.Fatal(err)
	}
	if err := store.KeepDeadLetter(t.Context(), payments.DeadLetter{MessageID: job.MessageID}); err != nil {
		t.Fatal(err)
	}
	faults := []step.Fault{{Point: step.APIReceived, Action: step.Error, Times: 1}}
	if err := store.Change(t.Context(), step.Change{Strategy: new("naive")}, faults); err != nil {
		t.Fatal(err)
	}
	record(t, postgres.NewRecorder(store, step.Process{}), step.Subject{}, step.APIReceived)
	before, err := store.Events(t.Context(), 0, "", 100)
	if err != nil || len(before) == 0 {
		t.Fatalf("events before: %v, %v", before, err)
	}
	last := before[len(before)-1].ID

	for _, do := range []func(context.Context) error{store.BeginReset, store.FinishReset} {
		if err := do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{
		"orders", "attempts", "outbox", "idempotency_keys", "seen_set", "seen_list", "claims", "mail_outbox", "mailbox",
		"dead_letters", "lab_faults",
	} {
		if n := number(t, store, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%s has %d rows", table, n)
		}
	}
	settings, err := store.Settings(t.Context())
	if err != nil || settings.Strategy != "naive" {
		t.Errorf("the strategy is %q, %v", settings.Strategy, err)
	}
	after, err := store.Events(t.Context(), last, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(after) != 1 || after[0].Step != step.LabReset || after[0].ID <= last {
		t.Errorf("a reader that resumes after %d sees %+v", last, after)
	}
}

// TestAResetPassesAProcessThatStandsStillWithARow has a relay that waits, in step mode, with a row of
// the outbox in its hands.
func TestAResetPassesAProcessThatStandsStillWithARow(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	instance := join(t, options, "relay", 1)
	bought(t, store)
	if err := store.Change(t.Context(), step.Change{Step: new(true)}, nil); err != nil {
		t.Fatal(err)
	}
	batch := claim(t, store, 10)
	probe := step.Probe{Recorder: postgres.NewRecorder(postgrestest.OpenWith(t, options), instance.Process)}
	passed := make(chan error, 1)
	go func() {
		for _, name := range []step.Name{step.RelayClaimed, step.RelayPublished} {
			if err := probe.Reach(t.Context(), name); err != nil {
				passed <- err
				return
			}
		}
		passed <- batch.Mark(t.Context(), []int64{batch.Rows()[0].ID}, nil)
	}()
	eventually(t, "the relay stands still", func(ctx context.Context) (bool, error) {
		waiting, err := store.Waiting(ctx)
		return len(waiting) == 1, err
	})
	for _, do := range []func(context.Context) error{store.BeginReset, store.FinishReset} {
		if err := do(t.Context()); err != nil {
			t.Errorf("the reset does not pass: %v", err)
		}
	}
	if err := receive(t, "the relay goes on", passed); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(0, number(t, store, "SELECT count(*) FROM outbox")); diff != "" {
		t.Error(diff)
	}
}

// TestTwoChangesAtOnceNeverDeadlock changes the same settings from two sides.
func TestTwoChangesAtOnceNeverDeadlock(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	change := step.Change{
		Strategy: new("naive"), Checkout: new("same-transaction"), Enqueue: new("outbox"), Workers: new(2),
		SlowMS: new(int64(1)), Step: new(false), RetryMS: &[]int64{100}, LeaseMS: new(int64(500)),
	}
	results := make(chan error)
	const sides, rounds = 4, 25
	for range sides {
		go func() {
			var first error
			for range rounds {
				if err := store.Change(t.Context(), change, nil); err != nil && first == nil {
					first = err
				}
			}
			results <- first
		}()
	}
	for range sides {
		if err := receive(t, "a side ends", results); err != nil {
			t.Error(err)
		}
	}
}
