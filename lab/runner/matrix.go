package runner

import (
	"context"
	"encoding/json"
	"fmt"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/lane"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/payments/step"
)

// matrixDocument is what is shown of a matrix while it runs and afterwards.
type matrixDocument struct {
	ID    string `json:"id"`
	State string `json:"state"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	matrix.Result
}

// matrix runs one, keeps the run of every cell, and shows each cell as soon as it is done.
func (r *Runner) matrix(ctx context.Context, job step.Job) (json.RawMessage, error) {
	var spec step.MatrixSpec
	if err := json.Unmarshal(job.Spec, &spec); err != nil {
		return nil, fmt.Errorf("decode the matrix: %w", err)
	}
	cells, err := matrix.Plan(spec)
	if err != nil {
		return nil, err
	}
	shown := matrixDocument{ID: job.ID, State: lab.Running, Total: matrix.Total(cells)}
	m := matrix.Matrix{
		Lanes: matrix.DefaultLanes, Commit: r.Commit,
		Open: func(ctx context.Context) (matrix.Player, error) { return lane.Open(ctx, r.Lanes) },
		Keep: r.keep,
		OnCell: func(done, _ int, cell matrix.Cell) {
			shown.Done, shown.Cells = done, append(shown.Cells, cell)
			r.show(ctx, job.ID, shown)
		},
	}
	result, err := m.Run(ctx, cells)
	shown.State, shown.Result = lab.Finished, result
	document, encodeErr := json.Marshal(shown)
	if err == nil {
		err = encodeErr
	}
	return document, err
}

func (r *Runner) keep(ctx context.Context, run lab.Run) error {
	document, err := json.Marshal(run)
	if err != nil {
		return fmt.Errorf("encode the run: %w", err)
	}
	spec, err := json.Marshal(run.RunSpec)
	if err != nil {
		return fmt.Errorf("encode the run: %w", err)
	}
	return r.Store.KeepJob(ctx, step.Job{ID: run.ID, Kind: step.RunJob, Spec: spec, Document: document})
}

// show writes the document as far as it has come. That it is not seen is no reason to stop.
func (r *Runner) show(ctx context.Context, id string, document any) {
	data, err := json.Marshal(document)
	if err == nil {
		err = r.Store.ShowJob(ctx, id, data)
	}
	if err != nil {
		r.Log.DebugContext(ctx, "progress was not shown", "id", id, "error", err)
	}
}
