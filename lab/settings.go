package lab

import (
	"context"
	"slices"
	"strings"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// Bounds of what may be set.
const (
	maxWorkers = 8
	maxSlowMS  = 60_000
	maxRetries = 10
	maxDelayMS = 3_600_000
)

// Change changes the settings that the change names, and gives all of them back.
func (l *Lab) Change(ctx context.Context, change step.Change) (step.Settings, error) {
	return l.Setup(ctx, change, nil)
}

// Setup changes settings and, unless faults is nil, replaces the armed faults, in one transaction.
func (l *Lab) Setup(ctx context.Context, change step.Change, faults []step.Fault) (step.Settings, error) {
	if err := checkChange(change); err != nil {
		return step.Settings{}, err
	}
	for _, fault := range faults {
		if err := checkFault(fault); err != nil {
			return step.Settings{}, err
		}
	}
	if err := l.Store.Change(ctx, change, faults); err != nil {
		return step.Settings{}, err
	}
	return l.Store.Settings(ctx)
}

func checkChange(c step.Change) error {
	for _, err := range []*payments.FieldError{
		oneOf("strategy", c.Strategy, strategy.IDs()),
		oneOf("checkout", c.Checkout, []string{"same-transaction"}),
		oneOf("enqueue", c.Enqueue, []string{"outbox"}),
		between("workers", c.Workers, 1, maxWorkers),
		between("slow_ms", c.SlowMS, 0, maxSlowMS),
		between("lease_ms", c.LeaseMS, 100, maxDelayMS),
		checkDelays(c.RetryMS),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func checkDelays(delays *[]int64) *payments.FieldError {
	if delays == nil {
		return nil
	}
	if len(*delays) > maxRetries {
		return payments.InvalidField("retry_ms", "has at most %d delays", maxRetries)
	}
	for _, ms := range *delays {
		if err := between("retry_ms", &ms, 10, maxDelayMS); err != nil {
			return err
		}
	}
	return nil
}

func oneOf(field string, value *string, allowed []string) *payments.FieldError {
	if value == nil || slices.Contains(allowed, *value) {
		return nil
	}
	return payments.InvalidField(field, "must be one of %s", strings.Join(allowed, ", "))
}

func between[N int | int64](field string, value *N, low, high N) *payments.FieldError {
	if value == nil || (*value >= low && *value <= high) {
		return nil
	}
	return payments.InvalidField(field, "must be %d to %d", low, high)
}

// Arm arms one more fault.
func (l *Lab) Arm(ctx context.Context, fault step.Fault) (step.Fault, error) {
	if err := checkFault(fault); err != nil {
		return fault, err
	}
	return l.Store.Arm(ctx, fault)
}

// Disarm disarms all faults.
func (l *Lab) Disarm(ctx context.Context) error { return l.Store.Disarm(ctx) }

func checkFault(f step.Fault) error {
	point, action := string(f.Point), string(f.Action)
	for _, err := range []*payments.FieldError{
		oneOf("point", &point, texts(step.Names())),
		oneOf("action", &action, texts(step.Actions())),
		between("times", &f.Times, 1, 1000),
		between("skip", &f.Skip, 0, 1000),
		between("duration_ms", &f.DurationMS, 1, step.MaxWait.Milliseconds()),
		between("worker", &f.Worker, 0, maxWorkers),
		between("delivery", &f.Delivery, 0, 1000),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func texts[S ~string](names []S) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = string(name)
	}
	return list
}
