package lab

import (
	"context"
	"encoding/json"
	"fmt"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// errNoLessons is the answer of a lab that plays no scenarios.
var errNoLessons = fmt.Errorf("%w: this lab plays no scenarios", payments.ErrConflict)

// Scenarios shows the plans, and every scenario with its answer.
func (l *Lab) Scenarios() (any, error) {
	if l.Lessons == nil {
		return nil, errNoLessons
	}
	return l.Lessons()
}

// StartScenario asks for a scenario to be played, and gives its report as it begins.
func (l *Lab) StartScenario(ctx context.Context, name string) (json.RawMessage, error) {
	if l.Begin == nil {
		return nil, errNoLessons
	}
	id := newID()
	report, err := l.Begin(name, id, l.Version)
	if err != nil {
		return nil, err
	}
	return l.addJob(ctx, id, step.ScenarioJob, step.ScenarioSpec{Scenario: name}, report)
}

// ScenarioReport is what has come of one playing of a scenario so far.
func (l *Lab) ScenarioReport(ctx context.Context, name, id string) (json.RawMessage, error) {
	report, err := l.Store.Job(ctx, step.ScenarioJob, id)
	if err != nil {
		return nil, err
	}
	var of step.ScenarioSpec
	if err := json.Unmarshal(report, &of); err != nil {
		return nil, fmt.Errorf("decode the report: %w", err)
	}
	if of.Scenario != name {
		return nil, payments.ErrNotFound
	}
	return report, nil
}

// Recording is the last playing of a scenario that went as expected, with its runs as a whole: what to show
// where nothing can be run.
func (l *Lab) Recording(ctx context.Context, name string) (json.RawMessage, error) {
	report, err := l.Store.Recording(ctx, name)
	if err != nil {
		return nil, err
	}
	var ids struct {
		Runs []string `json:"runs"`
	}
	whole := map[string]json.RawMessage{}
	if err := json.Unmarshal(report, &ids); err != nil {
		return nil, fmt.Errorf("decode the recording: %w", err)
	}
	if err := json.Unmarshal(report, &whole); err != nil {
		return nil, fmt.Errorf("decode the recording: %w", err)
	}
	runs := []json.RawMessage{}
	for _, id := range ids.Runs {
		run, err := l.Store.Job(ctx, step.RunJob, id)
		if err != nil {
			return nil, fmt.Errorf("run %s of the recording: %w", id, err)
		}
		runs = append(runs, run)
	}
	if whole["runs"], err = encode(runs); err != nil {
		return nil, err
	}
	return encode(whole)
}
