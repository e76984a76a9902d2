package runner

import (
	"context"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/lane"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/payments/step"
)

// Stage plays what a scenario consists of, one thing at a time: runs in one lane, which is opened when it is
// needed first, and cells in lanes of their own.
type Stage struct {
	Lanes  lane.Config
	Commit string
	// Keep keeps what was played. Optional.
	Keep func(context.Context, lab.Run) error

	lane *lane.Lane
}

// Run plays a run.
func (s *Stage) Run(ctx context.Context, id string, spec step.RunSpec) (lab.Run, error) {
	if s.lane == nil {
		var err error
		if s.lane, err = lane.Open(ctx, s.Lanes); err != nil {
			return lab.Run{}, err
		}
	}
	run, err := s.lane.Play(ctx, id, spec)
	if err != nil || s.Keep == nil {
		return run, err
	}
	return run, s.Keep(ctx, run)
}

// Matrix runs cells.
func (s *Stage) Matrix(ctx context.Context, spec step.MatrixSpec) (matrix.Result, error) {
	cells, err := matrix.Plan(spec)
	if err != nil {
		return matrix.Result{}, err
	}
	m := matrix.Matrix{
		Lanes: stageLanes, Commit: s.Commit, Keep: s.Keep,
		Open: func(ctx context.Context) (matrix.Player, error) { return lane.Open(ctx, s.Lanes) },
	}
	return m.Run(ctx, cells)
}

// stageLanes is how many cells of one row run side by side: opening more would take longer than they save.
const stageLanes = 4

// Close closes the lane, if one was opened.
func (s *Stage) Close(ctx context.Context) error {
	if s.lane == nil {
		return nil
	}
	return s.lane.Close(ctx)
}
