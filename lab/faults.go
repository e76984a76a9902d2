package lab

import (
	"context"
	"fmt"
	"slices"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// maxArrivals is how many processes may gather at a hold.
const maxArrivals = 8

// Flusher forgets what Redis holds of this lab.
type Flusher interface {
	Flush(ctx context.Context) error
}

// Arm arms one more fault, or does at once what can only be done at once.
func (l *Lab) Arm(ctx context.Context, fault step.Fault) (step.Fault, error) {
	fault = complete(fault)
	if err := l.checkFault(fault); err != nil {
		return fault, err
	}
	if fault.Action == step.Now {
		return fault, l.strike(ctx, fault)
	}
	return l.Store.Arm(ctx, fault)
}

// Disarm disarms all faults. Whoever they hold goes on.
func (l *Lab) Disarm(ctx context.Context) error { return l.Store.Disarm(ctx) }

// armable completes and checks faults that are armed together. An error names the place in the list.
func (l *Lab) armable(faults []step.Fault) ([]step.Fault, error) {
	if faults == nil {
		return nil, nil
	}
	list := make([]step.Fault, len(faults))
	for i, fault := range faults {
		list[i] = complete(fault)
		err := l.checkFault(list[i])
		if err == nil && list[i].Action == step.Now {
			err = payments.InvalidField("point", "%s strikes at once and cannot be armed", fault.Point)
		}
		if err != nil {
			return nil, in(fmt.Sprintf("faults[%d]", i), err)
		}
	}
	return list, nil
}

// complete fills in the action where the point says it all.
func complete(f step.Fault) step.Fault {
	if point, known := step.PointOf(f.Point); known && f.Action == "" && len(point.Actions) == 1 {
		f.Action = point.Actions[0]
	}
	return f
}

func (l *Lab) checkFault(f step.Fault) error {
	point, known := step.PointOf(f.Point)
	if !known {
		name := string(f.Point)
		return orNil(oneOf("point", &name, pointNames()))
	}
	if err := checkAction(f, point); err != nil {
		return err
	}
	for _, err := range []*payments.FieldError{
		between("times", &f.Times, 1, 1000),
		between("skip", &f.Skip, 0, 1000),
		between("duration_ms", &f.DurationMS, 1, step.MaxWait.Milliseconds()),
		between("worker", &f.Worker, 0, maxWorkers),
		between("delivery", &f.Delivery, 0, 1000),
		between("arrivals", &f.Arrivals, 0, maxArrivals),
	} {
		if err != nil {
			return err
		}
	}
	if f.Arrivals > 0 && f.Action != step.Hold {
		return payments.InvalidField("arrivals", "belongs to the action hold")
	}
	if f.Point == step.StripeStored500 && l.Emulator == nil {
		return fmt.Errorf("%w: %s needs the emulator: Stripe takes no orders", payments.ErrConflict, f.Point)
	}
	return nil
}

func checkAction(f step.Fault, point step.Point) error {
	if slices.Contains(point.Actions, f.Action) {
		return nil
	}
	if point.Actions[0] == "" {
		return payments.InvalidField("action", "must be left out: %s says it all", f.Point)
	}
	action := string(f.Action)
	return orNil(oneOf("action", &action, texts(point.Actions)))
}

// orNil keeps a nil FieldError from becoming an error that is not nil.
func orNil(err *payments.FieldError) error {
	if err == nil {
		return nil
	}
	return err
}

func pointNames() []string {
	var names []string
	for _, point := range step.Points() {
		names = append(names, string(point.Name))
	}
	return names
}

// strike does at once what strikes a server. Servers that were not started here are left alone.
func (l *Lab) strike(ctx context.Context, f step.Fault) error {
	switch f.Point {
	case step.BrokerRestart:
		return l.restart(ctx, f, "AMQP_URL", l.Servers.AMQP)
	case step.DatabaseRestart:
		return l.restart(ctx, f, "DATABASE_URL", l.Servers.Database)
	default:
		if l.Redis == nil {
			return fmt.Errorf("%w: there is no Redis", payments.ErrConflict)
		}
		if err := l.Redis.Flush(ctx); err != nil {
			return err
		}
		return l.Store.NoteFault(ctx, f.Point, f.Action)
	}
}

// restart asks whoever started the server, in a process that does not depend on it.
func (l *Lab) restart(ctx context.Context, f step.Fault, variable, ours string) error {
	if ours == "" {
		return fmt.Errorf("%w: %s was not started by this lab, and is left alone", payments.ErrConflict, variable)
	}
	if err := l.Store.NoteFault(ctx, f.Point, f.Action); err != nil {
		return err
	}
	_, err := l.Store.Give(ctx, postgres.ServersRole, variable)
	return err
}
