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
	if err := checkChange(change); err != nil {
		return step.Settings{}, err
	}
	return l.set(ctx, change, nil)
}

// Setup changes settings and, unless faults is nil, replaces the armed faults, in one transaction. An
// error names the field as it stands in the whole of both.
func (l *Lab) Setup(ctx context.Context, change step.Change, faults []step.Fault) (step.Settings, error) {
	if err := checkChange(change); err != nil {
		return step.Settings{}, in("settings", err)
	}
	faults, err := l.armable(faults)
	if err != nil {
		return step.Settings{}, err
	}
	return l.set(ctx, change, faults)
}

func (l *Lab) set(ctx context.Context, change step.Change, faults []step.Fault) (step.Settings, error) {
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

func texts[S ~string](names []S) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = string(name)
	}
	return list
}
