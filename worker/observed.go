package worker

import (
	"context"
	"errors"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// Observe wraps the tools of the strategies so that every call reaches its step. Strategies, gateway
// and seen-sets know nothing of steps.
func Observe(tools strategy.Tools, probe step.Probe) strategy.Tools {
	observed := tools // What makes keys, times and leases is no step.
	observed.Bank = observedBank{tools.Bank, probe}
	observed.Ledger = observedLedger{tools.Ledger, probe}
	observed.Claims = observedClaims{tools.Claims, probe}
	observed.Seen = observedSeenSet{tools.Seen, probe}
	observed.Unguarded = observedSeenSet{tools.Unguarded, probe}
	observed.Redis = observedSeenSet{tools.Redis, probe}
	observed.Hybrid = observedSeenSet{tools.Hybrid, probe}
	return observed
}

type observedBank struct {
	bank  strategy.Bank
	probe step.Probe
}

// Charge reaches charging before the call and charged after it, with whatever the bank said.
func (o observedBank) Charge(
	ctx context.Context, job payments.ChargeJob, key payments.Key,
) (payments.Outcome, error) {
	if err := o.probe.Reach(ctx, step.WorkerCharging); err != nil {
		return payments.Outcome{}, err
	}
	outcome, err := o.bank.Charge(ctx, job, key)
	if err != nil {
		return outcome, err
	}
	said := step.Detail{ChargeID: outcome.ChargeID, Outcome: "charged"}
	if !outcome.Charged() {
		said.Outcome = "declined"
	}
	return outcome, o.probe.Reach(ctx, step.WorkerCharged, said)
}

func (o observedBank) Find(ctx context.Context, job payments.ChargeJob) (payments.Outcome, bool, error) {
	outcome, found, err := o.bank.Find(ctx, job)
	if err != nil {
		return outcome, found, err
	}
	return outcome, found, o.probe.Reach(ctx, step.WorkerChecked)
}

type observedSeenSet struct {
	seen  strategy.SeenSet
	probe step.Probe
}

func (o observedSeenSet) Seen(ctx context.Context, key payments.Key) (bool, error) {
	seen, err := o.seen.Seen(ctx, key)
	if err != nil {
		return seen, err
	}
	return seen, o.probe.Reach(ctx, step.WorkerChecked)
}

func (o observedSeenSet) Mark(ctx context.Context, key payments.Key) error {
	if err := o.seen.Mark(ctx, key); err != nil {
		return err
	}
	return o.probe.Reach(ctx, step.WorkerRecorded)
}

type observedClaims struct {
	claims strategy.Claims
	probe  step.Probe
}

// Claim reaches checked whatever the answer is: held and done are answers too.
func (o observedClaims) Claim(
	ctx context.Context, key payments.Key, lease time.Duration,
) (payments.Claim, error) {
	claim, err := o.claims.Claim(ctx, key, lease)
	answered := err == nil || errors.Is(err, payments.ErrHeld) || errors.Is(err, payments.ErrAlreadyDone)
	if !answered {
		return claim, err
	}
	if err == nil {
		until := claim.Until.UTC()
		o.probe.Note(ctx, step.ClaimTaken, step.Detail{Key: string(key), Until: &until})
	}
	if reached := o.probe.Reach(ctx, step.WorkerChecked); reached != nil {
		return claim, reached
	}
	return claim, err
}

type observedLedger struct {
	ledger strategy.Ledger
	probe  step.Probe
}

func (o observedLedger) Apply(ctx context.Context, job payments.ChargeJob, outcome payments.Outcome) error {
	if err := o.ledger.Apply(ctx, job, outcome); err != nil {
		return err
	}
	return o.probe.Reach(ctx, step.WorkerApplied)
}

func (o observedLedger) ApplyOnce(
	ctx context.Context, key payments.Key, job payments.ChargeJob, outcome payments.Outcome,
) error {
	if err := o.ledger.ApplyOnce(ctx, key, job, outcome); err != nil {
		return err
	}
	return o.probe.Reach(ctx, step.WorkerRecorded)
}

func (o observedLedger) Complete(
	ctx context.Context, claim payments.Claim, job payments.ChargeJob, outcome payments.Outcome,
) error {
	if err := o.ledger.Complete(ctx, claim, job, outcome); err != nil {
		return err
	}
	return o.probe.Reach(ctx, step.WorkerRecorded)
}
