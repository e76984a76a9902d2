package scenario

import (
	"slices"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/matrix"
)

// Check is one thing that was measured. Name is a measure or, for a cell, the fault of its column.
type Check struct {
	Run      int    `json:"run"`
	Name     string `json:"name"`
	Got      Value  `json:"got"`
	Expected Value  `json:"expected"`
	OK       bool   `json:"ok"`
}

// check compares what was measured in a run with what is expected of it.
func (r Run) check(index int, run lab.Run) []Check {
	var checks []Check
	got := measured(run)
	for _, measure := range Measures() {
		if expected, named := r.Expect[measure]; named {
			checks = append(checks, Check{index, string(measure), got[measure], expected, got[measure] == expected})
		}
	}
	return checks
}

// checkCell compares a cell that ran with the catalogue, by the marks of the matrix: 2 is charged twice, 2p
// with points twice. A cell whose fault did not strike has shown nothing.
func checkCell(index int, cell matrix.Cell) Check {
	check := Check{
		Run: index, Name: cell.Fault, OK: cell.OK,
		Got:      Value(catalogue.Mark(cell.Verdict, cell.Wrong)),
		Expected: Value(catalogue.Mark(cell.Expected, cell.MustBe)),
	}
	if cell.Error != "" {
		check.Got = Value(cell.Error)
	}
	return check
}

// Differences are the checks that found something else than expected.
func Differences(checks []Check) []Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return c.OK })
}
