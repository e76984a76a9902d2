package worker_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker"
	"example.com/doublecharge/worker/strategy"
)

// tools answer everything with the same outcome and error, and count the calls.
type tools struct {
	outcome payments.Outcome
	claim   payments.Claim
	err     error
	calls   int
}

func (s *tools) Charge(context.Context, payments.ChargeJob, payments.Key) (payments.Outcome, error) {
	s.calls++
	return s.outcome, s.err
}

func (s *tools) Find(context.Context, payments.ChargeJob) (payments.Outcome, bool, error) {
	s.calls++
	return s.outcome, true, s.err
}

func (s *tools) Seen(context.Context, payments.Key) (bool, error) { s.calls++; return true, s.err }
func (s *tools) Mark(context.Context, payments.Key) error         { s.calls++; return s.err }

func (s *tools) Apply(context.Context, payments.ChargeJob, payments.Outcome) error {
	s.calls++
	return s.err
}

func (s *tools) ApplyOnce(context.Context, payments.Key, payments.ChargeJob, payments.Outcome) error {
	s.calls++
	return s.err
}

func (s *tools) Complete(context.Context, payments.Claim, payments.ChargeJob, payments.Outcome) error {
	s.calls++
	return s.err
}

func (s *tools) Claim(context.Context, payments.Key, time.Duration) (payments.Claim, error) {
	s.calls++
	return s.claim, s.err
}

// TestEveryToolReachesItsSteps calls each tool: as it is, when it fails, and when its last step does.
func TestEveryToolReachesItsSteps(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		call   func(context.Context, strategy.Tools) error
		steps  []step.Name // when all goes well
		broken []step.Name // when the tool fails
	}{
		"Bank.Charge": {
			func(ctx context.Context, s strategy.Tools) error {
				_, err := s.Bank.Charge(ctx, payments.ChargeJob{}, "")
				return err
			},
			[]step.Name{step.WorkerCharging, step.WorkerCharged},
			[]step.Name{step.WorkerCharging},
		},
		"Bank.Find": {
			func(ctx context.Context, s strategy.Tools) error {
				_, _, err := s.Bank.Find(ctx, payments.ChargeJob{})
				return err
			},
			[]step.Name{step.WorkerChecked},
			nil,
		},
		"Seen.Seen": {
			func(ctx context.Context, s strategy.Tools) error { _, err := s.Seen.Seen(ctx, ""); return err },
			[]step.Name{step.WorkerChecked},
			nil,
		},
		"Seen.Mark": {
			func(ctx context.Context, s strategy.Tools) error { return s.Seen.Mark(ctx, "") },
			[]step.Name{step.WorkerRecorded},
			nil,
		},
		"Ledger.Apply": {
			func(ctx context.Context, s strategy.Tools) error {
				return s.Ledger.Apply(ctx, payments.ChargeJob{}, payments.Outcome{})
			},
			[]step.Name{step.WorkerApplied},
			nil,
		},
		"Ledger.ApplyOnce": {
			func(ctx context.Context, s strategy.Tools) error {
				return s.Ledger.ApplyOnce(ctx, "", payments.ChargeJob{}, payments.Outcome{})
			},
			[]step.Name{step.WorkerRecorded},
			nil,
		},
		"Ledger.Complete": {
			func(ctx context.Context, s strategy.Tools) error {
				return s.Ledger.Complete(ctx, payments.Claim{}, payments.ChargeJob{}, payments.Outcome{})
			},
			[]step.Name{step.WorkerRecorded},
			nil,
		},
		"Unguarded.Mark": {
			func(ctx context.Context, s strategy.Tools) error { return s.Unguarded.Mark(ctx, "") },
			[]step.Name{step.WorkerRecorded},
			nil,
		},
		"Redis.Seen": {
			func(ctx context.Context, s strategy.Tools) error { _, err := s.Redis.Seen(ctx, ""); return err },
			[]step.Name{step.WorkerChecked},
			nil,
		},
		"Hybrid.Seen": {
			func(ctx context.Context, s strategy.Tools) error { _, err := s.Hybrid.Seen(ctx, ""); return err },
			[]step.Name{step.WorkerChecked},
			nil,
		},
		"Claims.Claim": {
			func(ctx context.Context, s strategy.Tools) error { _, err := s.Claims.Claim(ctx, "", 0); return err },
			[]step.Name{step.ClaimTaken, step.WorkerChecked},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			down := errors.New("down")
			for _, when := range []struct {
				fails  error
				breaks step.Name
				steps  []step.Name
				err    error
			}{
				{nil, "", test.steps, nil},
				{down, "", test.broken, down},
				{nil, test.steps[len(test.steps)-1], test.steps, step.ErrInjected},
			} {
				real, trace := &tools{err: when.fails}, &trace{breaks: when.breaks}
				all := strategy.Tools{
					Bank: real, Ledger: real, Claims: real, Seen: real, Unguarded: real, Redis: real, Hybrid: real,
				}
				observed := worker.Observe(all, step.Probe{Recorder: trace})
				if err := test.call(t.Context(), observed); !errors.Is(err, when.err) {
					t.Errorf("the error is %v, want %v", err, when.err)
				}
				if diff := cmp.Diff(when.steps, trace.names()); diff != "" || real.calls != 1 {
					t.Errorf("%d calls, and the steps:\n%s", real.calls, diff)
				}
			}
		})
	}
}

// TestCheckedIsPassedWhateverTheClaimAnswers: held and done are answers, and two workers may be held there.
func TestCheckedIsPassedWhateverTheClaimAnswers(t *testing.T) {
	t.Parallel()
	for _, answer := range []error{payments.ErrHeld, payments.ErrAlreadyDone} {
		trace := &trace{}
		observed := worker.Observe(strategy.Tools{Claims: &tools{err: answer}}, step.Probe{Recorder: trace})
		if _, err := observed.Claims.Claim(t.Context(), "", 0); !errors.Is(err, answer) {
			t.Errorf("the error is %v, want %v", err, answer)
		}
		if diff := cmp.Diff([]step.Name{step.WorkerChecked}, trace.names()); diff != "" {
			t.Error(diff)
		}
	}
}

// TestAClaimThatIsTakenSaysUntilWhen somebody else stays away.
func TestAClaimThatIsTakenSaysUntilWhen(t *testing.T) {
	t.Parallel()
	inIstanbul := time.Date(2026, 7, 1, 12, 0, 0, 0, time.FixedZone("", 3*60*60))
	claim := payments.Claim{Key: "m-1", Fence: 2, Until: inIstanbul}
	trace := &trace{}
	observed := worker.Observe(strategy.Tools{Claims: &tools{claim: claim}}, step.Probe{Recorder: trace})
	got, err := observed.Claims.Claim(t.Context(), "m-1", time.Second)
	if err != nil || got != claim {
		t.Errorf("the claim is %+v, %v", got, err)
	}
	until := claim.Until.UTC()
	said := event{step.ClaimTaken, step.Detail{Key: "m-1", Until: &until}}
	if diff := cmp.Diff(said, trace.events[0]); diff != "" {
		t.Error(diff)
	}
}

func TestAnErrorAtChargingComesBeforeTheCharge(t *testing.T) {
	t.Parallel()
	real, trace := &tools{}, &trace{breaks: step.WorkerCharging}
	observed := worker.Observe(strategy.Tools{Bank: real}, step.Probe{Recorder: trace})
	if _, err := observed.Bank.Charge(t.Context(), payments.ChargeJob{}, ""); !errors.Is(err, step.ErrInjected) {
		t.Errorf("the error is %v", err)
	}
	if real.calls != 0 {
		t.Error("the bank was called")
	}
}

func TestChargedSaysWhatTheBankSaid(t *testing.T) {
	t.Parallel()
	for want, outcome := range map[string]payments.Outcome{
		"charged":  {ChargeID: "ch_1"},
		"declined": {ChargeID: "ch_1", Declined: "card_declined"},
	} {
		trace := &trace{}
		observed := worker.Observe(strategy.Tools{Bank: &tools{outcome: outcome}}, step.Probe{Recorder: trace})
		got, err := observed.Bank.Charge(t.Context(), payments.ChargeJob{}, "")
		if err != nil || got != outcome {
			t.Errorf("the outcome is %+v, %v", got, err)
		}
		said := event{step.WorkerCharged, step.Detail{ChargeID: "ch_1", Outcome: want}}
		if diff := cmp.Diff(said, trace.events[1]); diff != "" {
			t.Error(diff)
		}
	}
}
