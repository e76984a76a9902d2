package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

func TestInStepModeAProcessWaitsUntilItIsReleased(t *testing.T) {
	t.Parallel()
	let := map[string]func(context.Context, *postgres.Store) error{
		"by its instance": func(ctx context.Context, s *postgres.Store) error {
			return found(s.Release(ctx, myInstance(ctx, s)))
		},
		"as the longest": func(ctx context.Context, s *postgres.Store) error { return found(s.Release(ctx, 0)) },
		"by the end of the step mode": func(ctx context.Context, s *postgres.Store) error {
			return s.Change(ctx, step.Change{Step: new(false)}, nil)
		},
		"by a reset": func(ctx context.Context, s *postgres.Store) error { return s.BeginReset(ctx) },
	}
	for name, release := range let {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := postgrestest.Options(t)
			store := postgrestest.OpenWith(t, options)
			instance := join(t, options, "worker", 1)
			recorder := postgres.NewRecorder(postgrestest.OpenWith(t, options), instance.Process)
			if err := store.Change(t.Context(), step.Change{Step: new(true)}, nil); err != nil {
				t.Fatal(err)
			}
			passed := make(chan error, 1)
			go func() {
				ctx := step.About(t.Context(), step.Subject{MessageID: "m-1"})
				passed <- step.Probe{Recorder: recorder}.Reach(ctx, step.WorkerCharged)
			}()
			eventually(t, "it waits", func(ctx context.Context) (bool, error) {
				waiting, err := store.Waiting(ctx)
				return len(waiting) == 1 && waiting[0].Step == step.WorkerCharged && waiting[0].MessageID == "m-1" &&
					waiting[0].Instance == instance.Instance, err
			})
			select {
			case err := <-passed:
				t.Fatal("it did not wait: ", err)
			default:
			}
			if err := release(t.Context(), store); err != nil {
				t.Fatal(err)
			}
			if err := receive(t, "it goes on", passed); err != nil {
				t.Error(err)
			}
			if waiting, err := store.Waiting(t.Context()); err != nil || len(waiting) != 0 {
				t.Errorf("it is still on the list: %v, %v", waiting, err)
			}
			names := steps(t, store)
			want := []step.Name{step.WorkerCharged, step.StepWaiting, step.StepReleased}
			if diff := cmp.Diff(want, names[len(names)-3:]); name != "by the end of the step mode" && diff != "" {
				t.Error(diff)
			}
		})
	}
}

func found(one bool, err error) error {
	if err == nil && !one {
		return errors.New("nobody waits")
	}
	return err
}

func myInstance(ctx context.Context, s *postgres.Store) int64 {
	waiting, err := s.Waiting(ctx)
	if err != nil || len(waiting) == 0 {
		return -1
	}
	return waiting[0].Instance
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	instance := join(t, options, "worker", 1)
	recorder := postgres.NewRecorder(postgrestest.OpenWith(t, options), instance.Process)
	if err := store.Change(t.Context(), step.Change{Step: new(true)}, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	passed := make(chan error, 1)
	go func() { passed <- step.Probe{Recorder: recorder}.Reach(ctx, step.WorkerCharged) }()
	eventually(t, "it waits", func(ctx context.Context) (bool, error) {
		waiting, err := store.Waiting(ctx)
		return len(waiting) == 1, err
	})
	cancel()
	wantError(t, receive(t, "it ends", passed), context.Canceled)
	if n := number(t, store, "SELECT count(*) FROM lab_waits"); n != 0 {
		t.Errorf("%d are still on the list", n)
	}
}
