package matrix

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// Player plays runs, one at a time: a lane.
type Player interface {
	Play(ctx context.Context, id string, spec step.RunSpec) (lab.Run, error)
	PlayTogether(
		ctx context.Context, id string, strategies []string, meanwhile func(context.Context) error,
	) ([]lab.Run, error)
	Close(ctx context.Context) error
}

// Matrix is a set of cells to run.
type Matrix struct {
	// Lanes is how many run side by side. Defaults to 8.
	Lanes int
	// Open makes a lane.
	Open func(context.Context) (Player, error)
	// Restart restarts a server. Nil where the servers are somebody else's.
	Restart func(context.Context, step.Name) error
	// OnCell hears of every cell that is done, one at a time. Optional.
	OnCell func(done, total int, cell Cell)
	// Keep keeps the run of a cell. Optional.
	Keep   func(context.Context, lab.Run) error
	Commit string
}

// Result is what came of it.
type Result struct {
	Cells   []Cell    `json:"cells"`
	Summary Summary   `json:"summary"`
	Commit  string    `json:"commit"`
	At      time.Time `json:"at"`
}

// Summary counts the cells.
type Summary struct {
	Cells         int   `json:"cells"` // that ran
	NotApplicable int   `json:"not_applicable"`
	OK            int   `json:"ok"`
	Differ        int   `json:"differ"`
	Seconds       int64 `json:"seconds"`
}

// DefaultLanes is how many lanes run side by side.
const DefaultLanes = 8

// Plan lists the cells that a spec asks for. An error names what does not exist.
func Plan(spec step.MatrixSpec) ([]Cell, error) {
	strategies, err := chosen("strategy", spec.Strategies, strategy.IDs())
	if err != nil {
		return nil, err
	}
	columns, err := chosen("fault", spec.Faults, faultIDs(spec.All || len(spec.Faults) > 0))
	if err != nil {
		return nil, err
	}
	var cells []Cell
	for _, id := range strategies {
		profile := explore.ProfileOf(maker(id))
		for _, column := range columns {
			if slices.Contains(catalogue.ColumnIDs(), column) {
				cells = append(cells, cellOf(id, column, profile))
			}
		}
	}
	return append(append(cells, surroundings(columns)...), restarts(strategies, columns)...), nil
}

func maker(id string) func(strategy.Tools) strategy.Strategy {
	return func(t strategy.Tools) strategy.Strategy {
		for _, named := range strategy.All(t) {
			if named.ID == id {
				return named.Strategy
			}
		}
		return nil
	}
}

func chosen(field string, asked, all []string) ([]string, error) {
	if len(asked) == 0 {
		return all, nil
	}
	for _, id := range asked {
		if !slices.Contains(all, id) {
			return nil, payments.InvalidField(field, "there is no %q; known are %s", id, strings.Join(all, ", "))
		}
	}
	return slices.DeleteFunc(all, func(id string) bool { return !slices.Contains(asked, id) }), nil
}

func cellOf(id, column string, profile explore.Profile) Cell {
	spec, point, applicable := specOf(column, id, profile)
	cell := Cell{Strategy: id, Fault: column, State: NotApplicable, Wrong: []string{}, MustBe: []string{}}
	if !applicable {
		cell.OK = true
		return cell
	}
	expected, _ := catalogue.Expected(id, column)
	cell.State, cell.Expected, cell.MustBe = Ran, expected.Verdict, expected.Wrong
	cell.Action = actionAt(spec.Faults, point)
	if len(expected.Wrong) > 0 {
		cell.Reason = &expected.Reason
	}
	cell.spec, cell.point = spec, point
	return cell
}

// Run runs the cells, each lane one after the other, and returns when all lanes are closed.
func (m Matrix) Run(ctx context.Context, cells []Cell) (Result, error) {
	begun := time.Now()
	result := Result{Cells: cells, Commit: m.Commit, At: begun.UTC()}
	waiting := make(chan *Cell, len(cells))
	for _, cell := range longestFirst(cells) {
		waiting <- cell
	}
	close(waiting)
	total := len(waiting)
	done := make(chan *Cell)
	rest := ctx
	group, ctx := errgroup.WithContext(ctx)
	for range min(total, max(1, m.Lanes)) {
		group.Go(func() error { return m.lane(ctx, waiting, done) })
	}
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		n := 0
		for cell := range done {
			n++
			if m.OnCell != nil {
				m.OnCell(n, total, *cell)
			}
		}
	}()
	err := group.Wait()
	close(done)
	<-finished
	if err == nil {
		err = m.restartAll(rest, cells)
	}
	result.Summary = summarize(cells, time.Since(begun))
	return result, err
}

// longestFirst lists the cells to run, those that wait for a clock first, so that none is left to the end.
func longestFirst(cells []Cell) []*Cell {
	var list []*Cell
	for i := range cells {
		if cells[i].State == Ran {
			list = append(list, &cells[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *Cell) int { return len(b.spec.Faults) - len(a.spec.Faults) })
	return list
}

// lane opens a lane and plays cells until none waits.
func (m Matrix) lane(ctx context.Context, waiting <-chan *Cell, done chan<- *Cell) (err error) {
	player, err := m.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := player.Close(ctx); err == nil {
			err = closeErr
		}
	}()
	for cell := range waiting {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		begun := time.Now()
		run, err := player.Play(ctx, uuid.Must(uuid.NewV7()).String(), cell.spec)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		cell.conclude(run, time.Since(begun), err)
		if m.Keep != nil {
			if err := m.Keep(ctx, run); err != nil {
				return fmt.Errorf("keep the run of a cell: %w", err)
			}
		}
		done <- cell
	}
	return nil
}

func summarize(cells []Cell, took time.Duration) Summary {
	s := Summary{Seconds: int64(took.Round(time.Second) / time.Second)}
	for _, cell := range cells {
		switch {
		case cell.State == NotApplicable:
			s.NotApplicable++
			continue
		case cell.OK:
			s.OK++
		default:
			s.Differ++
		}
		s.Cells++
	}
	return s
}

// Total is how many of the cells are to run.
func Total(cells []Cell) int { return len(longestFirst(cells)) }
