package explore

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/doublecharge/payments"
)

// Result is what all adversaries together can do to one strategy.
type Result struct {
	Strategy string
	Searches []Search
}

// Safe says whether nothing was broken.
func (r Result) Safe() bool {
	for _, s := range r.Searches {
		if len(s.Violations) > 0 {
			return false
		}
	}
	return true
}

// Schedules, States and Took add up the searches.
func (r Result) totals() (schedules uint64, states int, took time.Duration) {
	for _, s := range r.Searches {
		schedules, states, took = plus(schedules, s.Schedules), states+s.States, took+s.Took
	}
	return schedules, states, took
}

// Explore searches with every adversary that has anything to do with the strategy.
func Explore(ctx context.Context, id string, b Bounds) (Result, error) {
	maker, known := MakerOf(id)
	if !known {
		return Result{}, payments.InvalidField("strategy", "there is no %q", id)
	}
	return With(ctx, id, maker, b)
}

// With searches a strategy that need not be among the known ones.
func With(ctx context.Context, id string, maker Maker, b Bounds) (Result, error) {
	result := Result{Strategy: id}
	profile := ProfileOf(maker)
	for _, a := range Adversaries() {
		if !profile.Applies(a) {
			continue
		}
		s, err := search(ctx, maker, a, b)
		if err != nil {
			return result, fmt.Errorf("search %s for %s: %w", id, a, err)
		}
		result.Searches = append(result.Searches, s)
	}
	return result, nil
}

// All explores strategies, two at a time, and reports on them in their order.
func All(
	ctx context.Context, ids []string, b Bounds, expected Guarantee, onDone func(done int, id string),
) (Report, error) {
	report := Report{
		Strategies: make([]StrategyReport, len(ids)), Bounds: b, Assumptions: Assumptions(), At: time.Now().UTC(),
	}
	var done atomic.Int32
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for i, id := range ids {
		group.Go(func() error {
			result, err := Explore(ctx, id, b)
			if err != nil {
				return err
			}
			maker, _ := MakerOf(id)
			report.Strategies[i], err = Describe(result, maker, expected)
			onDone(int(done.Add(1)), id)
			return err
		})
	}
	return report, group.Wait()
}
