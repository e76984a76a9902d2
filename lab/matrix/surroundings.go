package matrix

import (
	"slices"
	"strings"

	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// safest is the strategy with which api, relay and mailer are tried: what goes wrong is theirs.
const safest = "seen-set-and-key"

// faultIDs lists the columns: the default ones and, if asked, every action at every step that is no
// worker's.
func faultIDs(all bool) []string {
	ids := catalogue.ColumnIDs()
	if !all {
		return ids
	}
	for _, point := range step.Points() {
		role, _, _ := strings.Cut(string(point.Name), ".")
		if !slices.Contains([]string{"api", "relay", "mail"}, role) {
			continue
		}
		for _, action := range point.Actions {
			ids = append(ids, string(action)+":"+string(point.Name))
		}
	}
	return append(ids, restartIDs()...)
}

// surroundings makes the cells of those columns, one each: they do not depend on the strategy.
func surroundings(columns []string) []Cell {
	var cells []Cell
	for _, column := range columns {
		action, point, found := strings.Cut(column, ":")
		if !found || slices.Contains(catalogue.ColumnIDs(), column) {
			continue
		}
		fault := at(step.Name(point), step.Action(action))
		fault.DurationMS = 300
		cell := Cell{
			Strategy: safest, Fault: column, Action: fault.Action, State: Ran, point: fault.Point,
			Expected: payments.ChargedOnce, Wrong: []string{}, MustBe: []string{},
			spec: step.RunSpec{Strategy: safest, Orders: 1, Faults: []step.Fault{fault}},
		}
		if fault.Point == step.MailSent && (fault.Action == step.Crash || fault.Action == step.Error) {
			reason := catalogue.LetterTwice()
			cell.MustBe, cell.Reason = []string{"receipt"}, &reason
		}
		cells = append(cells, cell)
	}
	return cells
}
