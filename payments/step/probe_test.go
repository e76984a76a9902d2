package step_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments/step"
)

// record is one call of a recorder.
type record struct {
	Name    step.Name
	Detail  step.Detail
	Subject step.Subject
}

// recorder strikes as it is told and keeps what it was asked.
type recorder struct {
	strike  step.Strike
	err     error
	release chan struct{} // Await returns when it is closed.

	mu      sync.Mutex
	records []record
}

func (r *recorder) Record(ctx context.Context, name step.Name, d step.Detail, _ ...step.Name) (step.Strike, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records = append(r.records, record{name, d, step.SubjectOf(ctx)})
	return r.strike, r.err
}

func (r *recorder) Await(ctx context.Context, _ int64) error {
	select {
	case <-r.release:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestTheZeroProbeDoesNothing(t *testing.T) {
	t.Parallel()
	var probe step.Probe
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range step.Names() {
		if err := probe.Reach(ctx, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		probe.Note(ctx, name, step.Detail{})
	}
}

func TestAStepWithoutALabCostsNothing(t *testing.T) { //nolint:paralleltest // Others would be counted too.
	var probe step.Probe
	ctx := t.Context()
	if allocs := testing.AllocsPerRun(100, func() { _ = probe.Reach(ctx, step.APIWritten) }); allocs != 0 {
		t.Errorf("it allocates %v times", allocs)
	}
}

func TestReachRecordsTheStepAndWhomItIsAbout(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	probe := step.Probe{Recorder: r}
	about := step.Subject{OrderID: "o", MessageID: "m", Account: "ayse", Delivery: 2}
	ctx := step.About(t.Context(), about)
	if err := probe.Reach(ctx, step.WorkerCharged, step.Detail{ChargeID: "ch_1"}); err != nil {
		t.Error(err)
	}
	probe.Note(ctx, step.HTTPRequest, step.Detail{Key: "k"})
	if err := probe.Reach(t.Context(), step.RelayClaimed); err != nil {
		t.Error(err)
	}
	want := []record{
		{step.WorkerCharged, step.Detail{ChargeID: "ch_1"}, about},
		{step.HTTPRequest, step.Detail{Key: "k"}, about},
		{step.RelayClaimed, step.Detail{}, step.Subject{}},
	}
	if diff := cmp.Diff(want, r.records); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestAnErrorIsReturnedWhereItStrikes(t *testing.T) {
	t.Parallel()
	probe := step.Probe{Recorder: &recorder{strike: step.Strike{Action: step.Error}}}
	err := probe.Reach(t.Context(), step.APIWritten)
	if !errors.Is(err, step.ErrInjected) || err.Error() != "injected error at api.written" {
		t.Errorf("got %v", err)
	}
}

func TestANoteCannotBeStruck(t *testing.T) {
	t.Parallel()
	// A crash would end this very test.
	step.Probe{Recorder: &recorder{strike: step.Strike{Action: step.Crash}}}.
		Note(t.Context(), step.HTTPRequest, step.Detail{})
}

func TestARecorderThatCannotRecordBreaksNothing(t *testing.T) {
	t.Parallel()
	broken := &recorder{strike: step.Strike{Action: step.Error}, err: errors.New("no database")}
	probe := step.Probe{Recorder: broken}
	if err := probe.Reach(t.Context(), step.APIWritten); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestAHangLastsAsLongAsItSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		strike step.Strike
		want   time.Duration
	}{
		{"nothing armed", step.Strike{}, 0},
		{"hang", step.Strike{Action: step.Hang, Duration: 2 * time.Second}, 2 * time.Second},
		{"hang without end", step.Strike{Action: step.Hang, Duration: 24 * time.Hour}, step.MaxWait},
		{"slow", step.Strike{Slow: 300 * time.Millisecond}, 300 * time.Millisecond},
		{
			"slow, then hang",
			step.Strike{Action: step.Hang, Duration: time.Second, Slow: time.Second},
			2 * time.Second,
		},
		{"a wait that nobody ends", step.Strike{Wait: 7}, step.MaxWait},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { // Time is the bubble's, and exact.
				begin := time.Now()
				err := step.Probe{Recorder: &recorder{strike: c.strike}}.Reach(t.Context(), step.WorkerCharged)
				if took := time.Since(begin); err != nil || took != c.want {
					t.Errorf("took %v, %v, want %v", took, err, c.want)
				}
			})
		})
	}
}

func TestAWaitingStepGoesOnWhenItIsReleased(t *testing.T) {
	t.Parallel()
	for _, action := range []step.Action{"", step.Error} {
		synctest.Test(t, func(t *testing.T) {
			r := &recorder{strike: step.Strike{Wait: 7, Action: action}, release: make(chan struct{})}
			passed := make(chan error, 1)
			go func() { passed <- step.Probe{Recorder: r}.Reach(t.Context(), step.WorkerCharged) }()
			synctest.Wait()
			select {
			case err := <-passed:
				t.Fatalf("it did not wait: %v", err)
			default:
			}
			close(r.release)
			if err := <-passed; errors.Is(err, step.ErrInjected) != (action == step.Error) {
				t.Errorf("action %q after the wait: %v", action, err)
			}
		})
	}
}

func TestWhoWaitsLeavesWithTheContext(t *testing.T) {
	t.Parallel()
	for name, strike := range map[string]step.Strike{
		"hang": {Action: step.Hang, Duration: time.Hour}, "slow": {Slow: time.Hour}, "wait": {Wait: 7},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			err := step.Probe{Recorder: &recorder{strike: strike}}.Reach(ctx, step.WorkerCharged)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v, want the context's error", name, err)
			}
		})
	}
}
