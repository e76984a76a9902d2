package postgres_test

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

func arm(t *testing.T, store *postgres.Store, f step.Fault) step.Fault {
	t.Helper()
	if f.Point == "" {
		f.Point = step.WorkerCharged
	}
	if f.Action == "" {
		f.Action = step.Error
	}
	armed, err := store.Arm(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return armed
}

func record(t *testing.T, r *postgres.Recorder, about step.Subject, name step.Name) step.Strike {
	t.Helper()
	strike, err := r.Record(step.About(t.Context(), about), name, step.Detail{}, name)
	if err != nil {
		t.Fatal(err)
	}
	return strike
}

// steps are the names of all events so far.
func steps(t *testing.T, store *postgres.Store) []step.Name {
	t.Helper()
	events, err := store.Events(t.Context(), 0, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	var names []step.Name
	for _, event := range events {
		names = append(names, event.Step)
	}
	return names
}

func TestAFaultIsConsumedExactlyItsTimesHoweverManyReachIt(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	recorder := postgres.NewRecorder(store, step.Process{Role: "worker", Number: 1})
	arm(t, store, step.Fault{Times: 5, Skip: 3})
	arm(t, store, step.Fault{Times: 2})
	var struck atomic.Int32
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if record(t, recorder, step.Subject{}, step.WorkerCharged).Action == step.Error {
				struck.Add(1)
			}
		})
	}
	all.Wait()
	if struck.Load() != 7 {
		t.Errorf("it struck %d times, want 7", struck.Load())
	}
	if armed, err := store.Armed(t.Context()); err != nil || len(armed) != 0 {
		t.Errorf("still armed: %v, %v", armed, err)
	}
}

func TestSkipIsCountedFirst(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	recorder := postgres.NewRecorder(store, step.Process{})
	arm(t, store, step.Fault{Times: 2, Skip: 2})
	var got []step.Action
	for range 6 {
		got = append(got, record(t, recorder, step.Subject{}, step.WorkerCharged).Action)
	}
	if diff := cmp.Diff([]step.Action{"", "", step.Error, step.Error, "", ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyWhatAFaultsFiltersNameIsStruck(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	mine := step.Subject{Account: "mert", Delivery: 2}
	worker2, relay2 := step.Process{Role: "worker", Number: 2}, step.Process{Role: "relay", Number: 2}
	for name, test := range map[string]struct {
		fault   step.Fault
		at      step.Name
		process step.Process
		struck  bool
	}{
		"no filter":        {step.Fault{}, step.WorkerCharged, worker2, true},
		"another step":     {step.Fault{}, step.WorkerCharging, worker2, false},
		"my account":       {step.Fault{Account: "mert"}, step.WorkerCharged, worker2, true},
		"another account":  {step.Fault{Account: "ayse"}, step.WorkerCharged, worker2, false},
		"my delivery":      {step.Fault{Delivery: 2}, step.WorkerCharged, worker2, true},
		"another delivery": {step.Fault{Delivery: 1}, step.WorkerCharged, worker2, false},
		"my worker":        {step.Fault{Worker: 2}, step.WorkerCharged, worker2, true},
		"another worker":   {step.Fault{Worker: 1}, step.WorkerCharged, worker2, false},
		"a worker's number is not a relay's": {
			step.Fault{Point: step.RelayClaimed, Worker: 2}, step.RelayClaimed, relay2, false,
		},
	} {
		test.fault.Times = 1
		arm(t, store, test.fault)
		strike := record(t, postgres.NewRecorder(store, test.process), mine, test.at)
		if got := strike.Action == step.Error; got != test.struck {
			t.Errorf("%s: struck is %v, want %v", name, got, test.struck)
		}
		if err := store.Disarm(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheOldestMatchStrikesFirst(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	recorder := postgres.NewRecorder(store, step.Process{})
	arm(t, store, step.Fault{Times: 1, Account: "ayse"})
	arm(t, store, step.Fault{Times: 1, Action: step.Hang, DurationMS: 700})
	arm(t, store, step.Fault{Times: 1})
	var got []step.Strike
	for range 3 {
		strike := record(t, recorder, step.Subject{Account: "mert"}, step.WorkerCharged)
		strike.Wait = 0 // where it stands in the waiting list
		got = append(got, strike)
	}
	want := []step.Strike{
		{Point: step.WorkerCharged, Action: step.Hang, Duration: 700 * time.Millisecond},
		{Point: step.WorkerCharged, Action: step.Error},
		{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEventsOfAWireAreNeverStruckAndNeverWait(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	if err := store.Change(t.Context(), step.Change{Step: new(true), SlowMS: new(int64(9))}, nil); err != nil {
		t.Fatal(err)
	}
	arm(t, store, step.Fault{Point: step.StripeCharge, Times: 1})
	got, err := postgres.NewRecorder(store, step.Process{}).Record(t.Context(), step.StripeCharge, step.Detail{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(step.Strike{}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheEventIsThereAfterTheCrash(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	arm(t, store, step.Fault{Action: step.Crash, Times: 1})
	process := startProcess(t, options.Schema, crashAtCharged)
	if state := process.wait(t); state.Success() || state.Exited() {
		t.Fatalf("it was to be killed, and %v", state)
	}
	if diff := cmp.Diff([]step.Name{step.WorkerCharged, step.FaultFired}, steps(t, store)); diff != "" {
		t.Error(diff)
	}
	if process.pid() == os.Getpid() {
		t.Error("it was this very process")
	}
}

func TestAStepInsideATransactionNeverWaitsForIt(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	recorder := postgres.NewRecorder(postgrestest.OpenWith(t, options), step.Process{})
	job := bought(t, store)
	arm(t, store, step.Fault{Point: step.RelayClaimed, Times: 1})
	var claims []*postgres.OutboxBatch
	if err := store.Redeliver(t.Context(), job.OrderID, "", 8); err != nil {
		t.Fatal(err)
	}
	for range 8 { // As many as the store's pool has connections.
		claims = append(claims, claim(t, store, 1))
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	wantError(t, step.Probe{Recorder: recorder}.Reach(ctx, step.RelayClaimed), step.ErrInjected)
	for _, batch := range claims {
		batch.Release(t.Context())
	}
	if diff := cmp.Diff([]step.Name{step.RelayClaimed, step.FaultFired}, steps(t, store)); diff != "" {
		t.Errorf("what was rolled back around it took the event along:\n%s", diff)
	}
}
