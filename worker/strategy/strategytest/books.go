package strategytest

import (
	"context"
	"time"

	"example.com/doublecharge/payments"
)

// claim is who may work on a key.
type claim struct {
	fence int64
	held  bool // the lease is not over
	done  bool
}

type claims struct{ w *World }

// Claim takes a key that is new or whose lease is over. Leases end by LeasesEnd alone.
func (c claims) Claim(_ context.Context, key payments.Key, _ time.Duration) (payments.Claim, error) {
	c.w.mu.Lock()
	taken, err := c.w.claim(key)
	c.w.mu.Unlock()
	c.w.did(Claim)
	return taken, err
}

func (w *World) claim(key payments.Key) (payments.Claim, error) {
	c := w.claims[key]
	if c == nil {
		c = &claim{}
		w.claims[key] = c
	}
	switch {
	case c.done:
		return payments.Claim{}, payments.ErrAlreadyDone
	case c.held:
		return payments.Claim{}, payments.ErrHeld
	}
	c.fence++
	c.held = true
	return payments.Claim{Key: key, Fence: c.fence}, nil
}

// LeasesEnd ends the lease of every claim.
func (w *World) LeasesEnd() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.claims {
		c.held = false
	}
}

// complete ends a claim that was not taken over.
func (w *World) complete(taken payments.Claim) error {
	switch c := w.claims[taken.Key]; {
	case c == nil || (!c.done && c.fence != taken.Fence):
		return payments.ErrHeld
	case c.done:
		return payments.ErrAlreadyDone
	default:
		c.done = true
		return nil
	}
}

type ledger struct{ w *World }

func (l ledger) Apply(_ context.Context, job payments.ChargeJob, outcome payments.Outcome) error {
	return l.write(Apply, job, outcome, func() error { return nil })
}

func (l ledger) ApplyOnce(
	_ context.Context, key payments.Key, job payments.ChargeJob, outcome payments.Outcome,
) error {
	return l.write(ApplyOnce, job, outcome, func() error { return l.w.mark(key) })
}

func (l ledger) Complete(
	_ context.Context, taken payments.Claim, job payments.ChargeJob, outcome payments.Outcome,
) error {
	return l.write(Complete, job, outcome, func() error { return l.w.complete(taken) })
}

// write writes the effects where the guard lets it, as one transaction does.
func (l ledger) write(call Call, job payments.ChargeJob, outcome payments.Outcome, guard func() error) error {
	l.w.mu.Lock()
	err := guard()
	if err == nil {
		l.w.apply(job, outcome)
	}
	l.w.mu.Unlock()
	l.w.did(call)
	return err
}

// apply does what the real ledger does: the status once, the points always, one receipt, the first
// charge id.
func (w *World) apply(job payments.ChargeJob, outcome payments.Outcome) {
	e := w.effects[job.MessageID]
	defer func() { w.effects[job.MessageID] = e }()
	if !outcome.Charged() {
		if e.Status == "" {
			e.Status = payments.OrderFailed
		}
		return
	}
	e.Status, e.Receipts = payments.OrderPaid, 1
	e.Points += job.Total().MajorUnits()
	if e.ChargeID == "" {
		e.ChargeID = outcome.ChargeID
	}
}
