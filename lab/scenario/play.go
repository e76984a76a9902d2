package scenario

import (
	"context"
	"time"

	"github.com/google/uuid"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/payments/step"
)

// Lab is where a scenario's runs and cells are played.
type Lab interface {
	Run(ctx context.Context, id string, spec step.RunSpec) (lab.Run, error)
	Matrix(ctx context.Context, spec step.MatrixSpec) (matrix.Result, error)
}

// Report is a scenario that is being played, or was: what was run, and what came of each check.
type Report struct {
	ID       string    `json:"id"`
	Scenario string    `json:"scenario"`
	State    string    `json:"state"` // running, finished or stopped
	Commit   string    `json:"commit"`
	At       time.Time `json:"at"`
	// Runs are the ids of the runs that are over.
	Runs   []string `json:"runs"`
	Checks []Check  `json:"checks"`
	// OK says that all is over and nothing differs.
	OK     bool   `json:"ok"`
	Millis int64  `json:"millis"`
	Error  string `json:"error,omitempty"`
}

// Begin is the report of a scenario that begins now.
func (s Scenario) Begin(id, commit string) Report {
	return Report{
		ID: id, Scenario: s.Name, State: lab.Running, Commit: commit, At: time.Now().UTC(),
		Runs: []string{}, Checks: []Check{},
	}
}

// Play plays the scenario to its end. Seen hears of the report whenever it has grown. An error means that
// something could not be played; a check that differs is none.
func (s Scenario) Play(ctx context.Context, l Lab, report Report, seen func(Report)) (Report, error) {
	begun := time.Now()
	for i, run := range s.Runs {
		played, err := l.Run(ctx, uuid.Must(uuid.NewV7()).String(), run.Spec)
		if err != nil {
			return report, err
		}
		report.Runs = append(report.Runs, played.ID)
		report.Checks = append(report.Checks, run.check(i, played)...)
		seen(report)
	}
	if s.Cells != nil {
		result, err := l.Matrix(ctx, s.Cells.spec())
		if err != nil {
			return report, err
		}
		report.add(result.Cells)
	}
	report.State, report.OK = lab.Finished, len(Differences(report.Checks)) == 0
	report.Millis = time.Since(begun).Milliseconds()
	return report, nil
}

// add adds the cells that ran.
func (r *Report) add(cells []matrix.Cell) {
	for _, cell := range cells {
		if cell.State != matrix.Ran {
			continue
		}
		r.Checks = append(r.Checks, checkCell(len(r.Runs), cell))
		r.Runs = append(r.Runs, cell.Run)
	}
}
