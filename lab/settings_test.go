package lab_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

// TestASettingOutOfBoundsIsNamed has no store: what is out of bounds must never come to one.
func TestASettingOutOfBoundsIsNamed(t *testing.T) {
	t.Parallel()
	elevenDelays := make([]int64, 11)
	for i := range elevenDelays {
		elevenDelays[i] = 100
	}
	for _, c := range []struct {
		field  string
		change step.Change
	}{
		{"strategy", step.Change{Strategy: new("hope")}},
		{"strategy", step.Change{Strategy: new("")}},
		{"strategy", step.Change{Strategy: new("Naive")}},
		{"checkout", step.Change{Checkout: new("two-transactions")}},
		{"enqueue", step.Change{Enqueue: new("direct")}},
		{"workers", step.Change{Workers: new(0)}},
		{"workers", step.Change{Workers: new(-1)}},
		{"workers", step.Change{Workers: new(9)}},
		{"slow_ms", step.Change{SlowMS: new(int64(-1))}},
		{"slow_ms", step.Change{SlowMS: new(int64(60_001))}},
		{"lease_ms", step.Change{LeaseMS: new(int64(99))}},
		{"lease_ms", step.Change{LeaseMS: new(int64(3_600_001))}},
		{"retry_ms", step.Change{RetryMS: &[]int64{100, 9}}},
		{"retry_ms", step.Change{RetryMS: &[]int64{-100}}},
		{"retry_ms", step.Change{RetryMS: &[]int64{3_600_001}}},
		{"retry_ms", step.Change{RetryMS: &elevenDelays}},
	} {
		_, err := (&lab.Lab{}).Change(t.Context(), c.change)
		wantField(t, err, c.field)
		_, err = (&lab.Lab{}).Setup(t.Context(), c.change, []step.Fault{fault()})
		wantField(t, err, "settings."+c.field)
	}
}

func fault() step.Fault {
	return step.Fault{Point: step.WorkerCharged, Action: step.Crash, Times: 1, DurationMS: 1000}
}

func TestAFaultOutOfBoundsIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field string
		spoil func(*step.Fault)
	}{
		{"point", func(f *step.Fault) { f.Point = "" }},
		{"point", func(f *step.Fault) { f.Point = "worker.tired" }},
		{"point", func(f *step.Fault) { f.Point = step.WorkerSettled }}, // An event, and no step.
		{"action", func(f *step.Fault) { f.Action = "" }},
		{"action", func(f *step.Fault) { f.Action = "explode" }},
		{"times", func(f *step.Fault) { f.Times = 0 }},
		{"times", func(f *step.Fault) { f.Times = -1 }},
		{"times", func(f *step.Fault) { f.Times = 1001 }},
		{"skip", func(f *step.Fault) { f.Skip = -1 }},
		{"skip", func(f *step.Fault) { f.Skip = 1001 }},
		{"duration_ms", func(f *step.Fault) { f.DurationMS = 0 }},
		{"duration_ms", func(f *step.Fault) { f.DurationMS = 600_001 }},
		{"worker", func(f *step.Fault) { f.Worker = -1 }},
		{"worker", func(f *step.Fault) { f.Worker = 9 }},
		{"delivery", func(f *step.Fault) { f.Delivery = -1 }},
		{"delivery", func(f *step.Fault) { f.Delivery = 1001 }},
		{"arrivals", func(f *step.Fault) { f.Action, f.Arrivals = step.Hold, 9 }},
		{"arrivals", func(f *step.Fault) { f.Arrivals = 2 }}, // Only a hold waits for others.
		{"action", func(f *step.Fault) { f.Point, f.Action = step.APIReceived, step.Disconnect }},
		{"action", func(f *step.Fault) { f.Point, f.Action = step.MailSent, step.Disconnect }},
		{"action", func(f *step.Fault) { f.Point, f.Action = step.StripeSlow, step.Hang }}, // The point says it all.
		{"action", func(f *step.Fault) { f.Point, f.Action = step.BrokerDuplicate, step.Crash }},
		{"action", func(f *step.Fault) { f.Action = step.Now }},
	} {
		wrong := fault()
		c.spoil(&wrong)
		_, err := (&lab.Lab{}).Arm(t.Context(), wrong)
		wantField(t, err, c.field)
		_, err = (&lab.Lab{}).Setup(t.Context(), step.Change{}, []step.Fault{fault(), wrong})
		wantField(t, err, "faults[1]."+c.field)
	}
}

func wantField(t *testing.T, err error, field string) {
	t.Helper()
	if wrong, ok := errors.AsType[*payments.FieldError](err); !ok || wrong.Field != field || wrong.Detail == "" {
		t.Errorf("got %v, want an error that names %s", err, field)
	}
}

func TestTheBoundsThemselvesAreTaken(t *testing.T) {
	t.Parallel()
	l := &lab.Lab{Store: postgrestest.Open(t)}
	low := step.Change{
		Strategy: new("naive"), Checkout: new("same-transaction"), Enqueue: new("outbox"), Workers: new(1),
		SlowMS: new(int64(0)), Step: new(false), RetryMS: &[]int64{}, LeaseMS: new(int64(100)),
	}
	high := low
	high.Workers, high.SlowMS, high.LeaseMS = new(8), new(int64(60_000)), new(int64(3_600_000))
	high.RetryMS = &[]int64{10, 3_600_000, 10, 10, 10, 10, 10, 10, 10, 10}
	for _, change := range []step.Change{low, high} {
		got, err := l.Change(t.Context(), change)
		want := step.Settings{
			Strategy: "naive", Checkout: "same-transaction", Enqueue: "outbox", Workers: *change.Workers,
			SlowMS: *change.SlowMS, RetryMS: *change.RetryMS, LeaseMS: *change.LeaseMS,
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v, and the settings are (-want +got):\n%s", err, diff)
		}
	}
	least, most := fault(), fault()
	least.DurationMS = 1
	most.Times, most.Skip, most.DurationMS, most.Worker, most.Delivery = 1000, 1000, 600_000, 8, 1000
	for _, f := range []step.Fault{least, most} {
		if _, err := l.Arm(t.Context(), f); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

func TestAPartialChangeLeavesTheRest(t *testing.T) {
	t.Parallel()
	l := &lab.Lab{Store: postgrestest.Open(t)}
	want := step.DefaultSettings()
	for _, c := range []struct {
		change step.Change
		expect func()
	}{
		{step.Change{}, func() {}},
		{step.Change{Strategy: new("naive")}, func() { want.Strategy = "naive" }},
		{step.Change{Workers: new(3)}, func() { want.Workers = 3 }},
		{step.Change{RetryMS: &[]int64{100, 300}}, func() { want.RetryMS = []int64{100, 300} }},
		{step.Change{Step: new(true), SlowMS: new(int64(5))}, func() { want.Step, want.SlowMS = true, 5 }},
		{step.Change{Step: new(false)}, func() { want.Step = false }},
	} {
		got, err := l.Change(t.Context(), c.change)
		c.expect()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v, and the settings are (-want +got):\n%s", err, diff)
		}
	}
}

func TestSetupReplacesTheFaultsInOneTransaction(t *testing.T) {
	t.Parallel()
	l := &lab.Lab{Store: postgrestest.Open(t)}
	first, second := fault(), fault()
	second.Point, second.Action = step.APICommitted, step.Error
	wantArmed := func(want ...step.Fault) {
		t.Helper()
		got, err := l.Store.Armed(t.Context())
		ignoreIDs := cmpopts.IgnoreFields(step.Fault{}, "ID")
		if diff := cmp.Diff(want, got, ignoreIDs, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%v, and armed are (-want +got):\n%s", err, diff)
		}
	}
	setup := func(change step.Change, faults []step.Fault) error {
		_, err := l.Setup(t.Context(), change, faults)
		return err
	}
	if err := setup(step.Change{Strategy: new("naive")}, []step.Fault{first}); err != nil {
		t.Fatal(err)
	}
	wantArmed(first)
	if err := setup(step.Change{Workers: new(2)}, nil); err != nil {
		t.Fatal(err)
	}
	wantArmed(first) // nil leaves them.

	bad := second
	bad.Times = -1
	wantField(t, setup(step.Change{Strategy: new("seen-set")}, []step.Fault{second, bad}), "faults[1].times")
	// This one passes every check but the database's, which comes after the settings are written.
	unstorable := second
	unstorable.Account = "a\x00b"
	if err := setup(step.Change{Strategy: new("seen-set")}, []step.Fault{second, unstorable}); err == nil {
		t.Error("a fault that cannot be stored is taken")
	}
	wantArmed(first)
	settings, err := l.Store.Settings(t.Context())
	if err != nil || settings.Strategy != "naive" || settings.Workers != 2 {
		t.Errorf("a bad fault changed the settings: %+v, %v", settings, err)
	}

	if err := setup(step.Change{}, []step.Fault{second}); err != nil {
		t.Fatal(err)
	}
	wantArmed(second)
	if err := setup(step.Change{}, []step.Fault{}); err != nil {
		t.Fatal(err)
	}
	wantArmed() // None replaces all.
	if _, err := l.Arm(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if err := l.Disarm(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantArmed()
}

func TestTheClockOfTestModeCannotBeMoved(t *testing.T) {
	t.Parallel()
	_, err := (&lab.Lab{}).Advance(t.Context(), time.Hour)
	wantError(t, err, payments.ErrConflict)
}

func TestAMoveOfTheClockHasBounds(t *testing.T) {
	t.Parallel()
	l := &lab.Lab{Emulator: lab.NewEmulator("http://127.0.0.1:1", "sk_test_1")}
	for _, d := range []time.Duration{-time.Second, 0, 365*24*time.Hour + 1} {
		_, err := l.Advance(t.Context(), d)
		wantField(t, err, "advance")
	}
}

func TestRedeliveriesHaveBounds(t *testing.T) {
	t.Parallel()
	for _, times := range []int{-1, 0, 101} {
		wantField(t, (&lab.Lab{}).Redeliver(t.Context(), newID(), "", times), "times")
	}
	l := &lab.Lab{Store: postgrestest.Open(t)}
	wantError(t, l.Redeliver(t.Context(), newID(), "", 100), payments.ErrNotFound)
}

func TestNobodyCanBeReleasedWhenNobodyWaits(t *testing.T) {
	t.Parallel()
	l := &lab.Lab{Store: postgrestest.Open(t)}
	wantError(t, l.Release(t.Context(), 0), payments.ErrConflict)
	wantError(t, l.Release(t.Context(), 7), payments.ErrConflict)
}
