package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

// reachAll lets as many processes as there are probes reach the point, each in a goroutine, and says how long
// the last took.
func reachAll(t *testing.T, store *postgres.Store, processes int) time.Duration {
	t.Helper()
	begun := time.Now()
	var all sync.WaitGroup
	for i := range processes {
		probe := step.Probe{Recorder: postgres.NewRecorder(store, step.Process{Role: "worker", Number: i + 1})}
		all.Go(func() {
			if err := probe.Reach(t.Context(), step.WorkerChecked); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return time.Since(begun)
}

// TestThoseWhoGatherAtAHoldGoOnTogether, in however many rounds, and nobody waits for the time to be over.
func TestThoseWhoGatherAtAHoldGoOnTogether(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	const rounds, arrivals = 20, 3
	arm(t, store, step.Fault{
		Point: step.WorkerChecked, Action: step.Hold, Times: rounds, Arrivals: arrivals, DurationMS: 20_000,
	})
	for range rounds {
		if took := reachAll(t, store, arrivals); took > 10*time.Second {
			t.Errorf("somebody waited for %s", took)
		}
	}
	if armed, err := store.Armed(t.Context()); err != nil || len(armed) != 0 {
		t.Errorf("after %d rounds still armed: %+v, %v", rounds, armed, err)
	}
	reachAll(t, store, 1) // Nothing holds any more.
}

// TestWhoeverIsHeldAloneGoesOn when it is released, when the fault is disarmed, and when the time is over.
func TestWhoeverIsHeldAloneGoesOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		arrivals int
		lasts    int64
		letGo    func(*postgres.Store) error
	}{
		"released":          {0, 60_000, func(s *postgres.Store) error { return releaseAny(t, s) }},
		"released, of two":  {2, 60_000, func(s *postgres.Store) error { return releaseAny(t, s) }},
		"disarmed":          {0, 60_000, func(s *postgres.Store) error { return s.Disarm(t.Context()) }},
		"disarmed, of two":  {2, 60_000, func(s *postgres.Store) error { return s.Disarm(t.Context()) }},
		"the time is over":  {2, 50, func(*postgres.Store) error { return nil }},
		"alone and in time": {0, 50, func(*postgres.Store) error { return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := postgrestest.Open(t)
			arm(t, store, step.Fault{
				Point: step.WorkerChecked, Action: step.Hold, Times: 1, Arrivals: c.arrivals, DurationMS: c.lasts,
			})
			passed := make(chan struct{})
			go func() { reachAll(t, store, 1); close(passed) }()
			waits := "SELECT count(*) FROM lab_waits"
			if c.lasts > 1000 {
				eventually(t, "somebody is held", func(ctx context.Context) (bool, error) {
					var n int
					err := store.Pool().QueryRow(ctx, waits).Scan(&n)
					return n == 1, err
				})
				select {
				case <-passed:
					t.Error("it was not held")
				default:
				}
			}
			if err := c.letGo(store); err != nil {
				t.Fatal(err)
			}
			<-passed
			if n := number(t, store, waits); n != 0 {
				t.Errorf("%d are still on the waiting list", n)
			}
		})
	}
}

// releaseAny releases everybody. The processes of these tests hold no lock, so nobody lists them as alive.
func releaseAny(t *testing.T, s *postgres.Store) error {
	t.Helper()
	_, err := s.Pool().Exec(t.Context(), `UPDATE lab_waits SET released = true`)
	return err
}

// TestAFaultElsewhereStrikesWhereItIsLookedFor: at the points of the call, and under its own name.
func TestAFaultElsewhereStrikesWhereItIsLookedFor(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	recorder := postgres.NewRecorder(store, step.Process{Role: "worker", Number: 1})
	if _, err := store.Arm(t.Context(), step.Fault{Point: step.StripeSlow, Times: 1, DurationMS: 70}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		points []step.Name
		want   step.Strike
	}{
		{nil, step.Strike{}},
		{[]step.Name{step.BrokerDuplicate}, step.Strike{}},
		{step.StripePoints(), step.Strike{Point: step.StripeSlow, Duration: 70 * time.Millisecond}},
		{step.StripePoints(), step.Strike{}},
	} {
		got, err := recorder.Record(t.Context(), step.StripeCharge, step.Detail{}, c.points...)
		if err != nil || got != c.want {
			t.Errorf("at %v: %+v, %v, want %+v", c.points, got, err, c.want)
		}
	}
	fired := number(t, store, `SELECT count(*) FROM lab_trace
		WHERE step = 'fault.fired' AND detail->>'point' = 'stripe.slow'`)
	if fired != 1 {
		t.Errorf("it fired %d times by its own name", fired)
	}
}
