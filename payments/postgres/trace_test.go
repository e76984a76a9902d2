package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

// writeSlowly writes one event in a transaction that stays open until others have written and
// committed more.
func writeSlowly(ctx context.Context, store *postgres.Store, r *postgres.Recorder, label string) error {
	tx, err := store.Pool().Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	_, err = tx.Exec(ctx, `INSERT INTO lab_trace (order_id, message_id, delivery, step, detail)
		VALUES ('', $1, 0, 'worker.charged', '{}')`, label+" slow")
	if err != nil {
		return err
	}
	for i := range 3 {
		about := step.About(ctx, step.Subject{MessageID: fmt.Sprintf("%s quick %d", label, i)})
		if _, err := r.Record(about, step.WorkerCharged, step.Detail{}); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// follow reads events, each time after the last one it saw, until it saw all.
func follow(ctx context.Context, store *postgres.Store, all int) ([]step.Event, error) {
	var seen []step.Event
	last := int64(0)
	for len(seen) < all && ctx.Err() == nil {
		events, err := store.Events(ctx, last, "", 7)
		if err != nil {
			return seen, err
		}
		for _, event := range events {
			if event.ID <= last {
				return seen, fmt.Errorf("event %d came after %d", event.ID, last)
			}
			last = event.ID
		}
		seen = append(seen, events...)
	}
	return seen, ctx.Err()
}

// TestAReaderThatResumesLosesNothingAndSeesNothingTwice has 8 writers with transactions that commit
// out of order, and two readers at once.
func TestAReaderThatResumesLosesNothingAndSeesNothingTwice(t *testing.T) {
	t.Parallel()
	const writers, rounds, perRound = 8, 10, 4
	options := postgrestest.Options(t)
	traces := options
	traces.MaxConns = 2 * writers
	store, trace := postgrestest.OpenWith(t, options), postgrestest.OpenWith(t, traces)
	recorder := postgres.NewRecorder(trace, step.Process{})
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var all sync.WaitGroup
	for writer := range writers {
		all.Go(func() {
			for round := range rounds {
				if err := writeSlowly(ctx, trace, recorder, fmt.Sprintf("%d/%d", writer, round)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	seen := make([][]step.Event, 2)
	for reader := range seen {
		all.Go(func() {
			var err error
			if seen[reader], err = follow(ctx, store, writers*rounds*perRound); err != nil {
				t.Errorf("reader %d saw %d events: %v", reader, len(seen[reader]), err)
			}
		})
	}
	all.Wait()
	times := map[string]int{}
	for _, event := range seen[0] {
		times[event.MessageID]++
	}
	if len(times) != writers*rounds*perRound {
		t.Errorf("%d different events were seen, want %d", len(times), writers*rounds*perRound)
	}
	if diff := cmp.Diff(seen[0], seen[1]); diff != "" {
		t.Errorf("the two readers saw different things:\n%s", diff)
	}
}

func TestOneWritersEventsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	recorder := postgres.NewRecorder(store, step.Process{})
	for _, name := range step.Names() {
		record(t, recorder, step.Subject{}, name)
	}
	if diff := cmp.Diff(step.Names(), steps(t, store)); diff != "" {
		t.Error(diff)
	}
}

func TestAnEventTellsWhoDidWhatToWhom(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	instance := join(t, options, "worker", 3)
	about := step.Subject{OrderID: "o-1", MessageID: "m-1", Account: "ayse", Delivery: 2}
	detail := step.Detail{ChargeID: "ch_1", Outcome: "charged"}
	recorder := postgres.NewRecorder(store, instance.Process)
	if _, err := recorder.Record(step.About(t.Context(), about), step.WorkerCharged, detail); err != nil {
		t.Fatal(err)
	}
	record(t, recorder, step.Subject{OrderID: "o-2"}, step.WorkerCharged)
	events, err := store.Events(t.Context(), 0, "o-1", 10)
	if err != nil || len(events) != 1 {
		t.Fatalf("the order has the events %v, %v", events, err)
	}
	want := step.Event{
		ID: events[0].ID, At: events[0].At, OrderID: "o-1", MessageID: "m-1", Delivery: 2,
		Process: instance.Process, Step: step.WorkerCharged, Detail: detail,
	}
	if diff := cmp.Diff(want, events[0]); diff != "" {
		t.Error(diff)
	}
}

func TestACallerThatGaveUpStillLeavesItsTrace(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := postgres.NewRecorder(store, step.Process{}).Record(ctx, step.APIReceived, step.Detail{}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]step.Name{step.APIReceived}, steps(t, store)); diff != "" {
		t.Error(diff)
	}
}

func TestCallsToTheBankAreCountedByOrder(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	recorder := postgres.NewRecorder(store, step.Process{})
	call := step.Detail{From: "worker", To: "stripe"}
	answer := step.Detail{From: "stripe", To: "worker", Outcome: "charged"}
	replay := step.Detail{From: "stripe", To: "worker", Outcome: "replayed"}
	for _, detail := range []step.Detail{call, answer, call, replay} {
		for _, order := range []string{"o-1", "o-2"} {
			ctx := step.About(t.Context(), step.Subject{OrderID: order})
			if _, err := recorder.Record(ctx, step.StripeCharge, detail); err != nil {
				t.Fatal(err)
			}
		}
	}
	requests, replayed, err := store.BankCalls(t.Context(), "o-1")
	if err != nil || requests != 2 || replayed != 1 {
		t.Errorf("%d requests and %d replays, %v", requests, replayed, err)
	}
}
