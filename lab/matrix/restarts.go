package matrix

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// restartIDs lists the columns in which a server is restarted, with all strategies on their way at once.
func restartIDs() []string { return []string{string(step.BrokerRestart), string(step.DatabaseRestart)} }

// restarts makes the cells of those columns. What a restart does to a strategy that any crash may break
// depends on where it was, so only the others are expected to come through.
func restarts(strategies, columns []string) []Cell {
	var cells []Cell
	for _, column := range restartIDs() {
		for _, id := range strategies {
			if !slices.Contains(columns, column) {
				continue
			}
			cell := Cell{
				Strategy: id, Fault: column, Action: step.Now, State: Together, Wrong: []string{}, MustBe: []string{},
			}
			if len(catalogue.Broken(id, explore.Combined)) == 0 {
				cell.Expected = payments.ChargedOnce
			}
			cells = append(cells, cell)
		}
	}
	return cells
}

// restart plays the cells of one column together, in a lane of their own.
func (m Matrix) restart(ctx context.Context, column string, cells []*Cell) error {
	if m.Restart == nil {
		for _, cell := range cells { // The servers are somebody else's.
			cell.State, cell.OK = NotApplicable, true
		}
		return nil
	}
	player, err := m.Open(ctx)
	if err != nil {
		return err
	}
	var strategies []string
	for _, cell := range cells {
		strategies = append(strategies, cell.Strategy)
	}
	begun := time.Now()
	restart := func(ctx context.Context) error { return m.Restart(ctx, step.Name(column)) }
	runs, err := player.PlayTogether(ctx, uuid.Must(uuid.NewV7()).String(), strategies, restart)
	if closeErr := player.Close(ctx); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	for i, cell := range cells {
		cell.conclude(runs[i], time.Since(begun), nil)
		cell.Fired, cell.Error = 1, "" // It was restarted, or this would be an error.
		cell.OK = cell.Expected == "" || cell.Verdict == cell.Expected && len(cell.Wrong) == 0
	}
	return nil
}

// restartAll plays the restarts, one column after the other, when no other cell is under way.
func (m Matrix) restartAll(ctx context.Context, cells []Cell) error {
	for _, column := range restartIDs() {
		var together []*Cell
		for i := range cells {
			if cells[i].Fault == column {
				together = append(together, &cells[i])
			}
		}
		if len(together) == 0 {
			continue
		}
		if err := m.restart(ctx, column, together); err != nil {
			return err
		}
		if m.OnCell != nil {
			m.OnCell(0, 0, *together[0])
		}
	}
	return nil
}
