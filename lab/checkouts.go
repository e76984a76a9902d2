package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// kept is how many checkouts are kept as runs when the table is cleared.
const kept = 20

// Job shows a job of a kind, or for "" the latest. A checkout of the shop is a run too, under its
// order's id: until the next reset it is put together from what there is.
func (l *Lab) Job(ctx context.Context, kind step.JobKind, id string) (json.RawMessage, error) {
	document, err := l.Store.Job(ctx, kind, id)
	if kind != step.RunJob || id == "" || !errors.Is(err, payments.ErrNotFound) {
		return document, err
	}
	run, err := l.checkoutAsRun(ctx, id)
	if err != nil {
		return nil, err
	}
	return encode(run)
}

// Jobs shows the newest jobs of a kind, without their long parts.
func (l *Lab) Jobs(ctx context.Context, kind step.JobKind) ([]json.RawMessage, error) {
	const newest = 100
	return l.Store.Jobs(ctx, kind, newest)
}

// checkoutAsRun is the run of one order, as far as it has come.
func (l *Lab) checkoutAsRun(ctx context.Context, id string) (Run, error) {
	order, err := l.Store.Order(ctx, id, "")
	if err != nil {
		return Run{}, err
	}
	quiet, err := l.quietNow(ctx)
	if err != nil {
		return Run{}, err
	}
	ids, strategies, err := l.Store.Checkouts(ctx, 1000)
	if err != nil {
		return Run{}, err
	}
	strategy := ""
	if i := slices.Index(ids, id); i >= 0 {
		strategy = strategies[i]
	}
	return l.concludeCheckout(ctx, id, strategy, order.CreatedAt, quiet)
}

func (l *Lab) concludeCheckout(ctx context.Context, id, strategy string, at time.Time, quiet bool) (Run, error) {
	run := l.NewRun(id, step.RunSpec{Strategy: strategy, Orders: 1})
	run.OrderIDs, run.At = []string{id}, at
	err := l.Conclude(ctx, &run, quiet)
	run.OwnEvents()
	run.Faults = append(run.Faults, struck(run.Events)...)
	if !quiet {
		run.State = Running
	}
	return run, err
}

// struck lists the faults that struck, as the trace has them: what else was armed, nobody knows.
func struck(events []step.Event) []step.Fault {
	var faults []step.Fault
	for _, event := range events {
		if event.Step == step.FaultFired {
			faults = append(faults, step.Fault{
				ID: event.Detail.Fault, Point: step.Name(event.Detail.Point), Action: step.Action(event.Detail.Action),
				Times: 1,
			})
		}
	}
	return faults
}

// keepCheckouts keeps the newest checkouts as runs. That this fails is no reason not to clear the table.
func (l *Lab) keepCheckouts(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	ids, strategies, err := l.Store.Checkouts(ctx, kept)
	for i := range ids {
		if err == nil {
			err = l.keepCheckout(ctx, ids[i], strategies[i])
		}
	}
	if err != nil {
		l.Log.WarnContext(ctx, "not every checkout was kept as a run", "error", err)
	}
}

func (l *Lab) keepCheckout(ctx context.Context, id, strategy string) error {
	order, err := l.Store.Order(ctx, id, "")
	if err != nil {
		return err
	}
	decided := order.Status != payments.OrderPending
	run, err := l.concludeCheckout(ctx, id, strategy, order.CreatedAt, decided)
	if err != nil {
		return err
	}
	if !decided {
		run.State = Stopped // The reset ends it.
	}
	document, err := encode(run)
	if err != nil {
		return err
	}
	spec, err := encode(run.RunSpec)
	if err != nil {
		return err
	}
	return l.Store.KeepJob(ctx, step.Job{ID: id, Kind: step.RunJob, Spec: spec, Document: document})
}

func encode(v any) (json.RawMessage, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode a run: %w", err)
	}
	return data, nil
}
