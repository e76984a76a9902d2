package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/payments/step"
)

// scenario plays one, and keeps each of its runs beside it.
func (r *Runner) scenario(ctx context.Context, job step.Job) (_ json.RawMessage, err error) {
	var spec step.ScenarioSpec
	if err := json.Unmarshal(job.Spec, &spec); err != nil {
		return nil, fmt.Errorf("decode the scenario: %w", err)
	}
	s, err := scenario.Named(spec.Scenario)
	if err != nil {
		return nil, err
	}
	stage := Stage{Lanes: r.Lanes, Commit: r.Commit, Keep: r.keep}
	report := s.Begin(job.ID, r.Commit)
	report, err = s.Play(ctx, &stage, report, func(shown scenario.Report) { r.show(ctx, job.ID, shown) })
	if err = errors.Join(err, stage.Close(ctx)); err != nil {
		report.State, report.OK = lab.Stopped, false
	}
	document, encodeErr := json.Marshal(report)
	return document, errors.Join(err, encodeErr)
}
