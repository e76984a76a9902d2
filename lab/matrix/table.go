package matrix

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/doublecharge/lab/catalogue"
)

// The colours of a terminal.
const (
	plain  = "\x1b[0m"
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	grey   = "\x1b[90m"
	notice = "\x1b[30;43m" // not as expected
)

// WriteTable writes the matrix for a terminal of 80 columns: a mark in each cell, with or without colour.
func WriteTable(out io.Writer, r Result, colour bool) error {
	t := table{colour: colour}
	columns := t.columns(r)
	if len(columns) > 0 {
		t.head(columns)
		for _, id := range strategiesOf(r.Cells) {
			t.row(id, columns, r.Cells)
		}
		t.line("")
	}
	t.legend(columns)
	t.surroundings(r.Cells)
	t.differences(r.Cells)
	t.line("%d cells in %d s, %d as expected, %d not, %d not applicable",
		r.Summary.Cells, r.Summary.Seconds, r.Summary.OK, r.Summary.Differ, r.Summary.NotApplicable)
	t.line("commit %s · %s", r.Commit, r.At.Format("2006-01-02 15:04:05 MST"))
	_, err := io.WriteString(out, t.text.String())
	return err
}

type table struct {
	text   strings.Builder
	colour bool
}

func (t *table) line(format string, args ...any) { fmt.Fprintf(&t.text, format+"\n", args...) }

// columns lists the default columns that the result has.
func (t *table) columns(r Result) []catalogue.Column {
	return slices.DeleteFunc(catalogue.Columns(), func(c catalogue.Column) bool {
		return !slices.ContainsFunc(r.Cells, func(cell Cell) bool { return cell.Fault == c.ID })
	})
}

func strategiesOf(cells []Cell) []string {
	var ids []string
	for _, cell := range cells {
		if isDefault(cell.Fault) && !slices.Contains(ids, cell.Strategy) {
			ids = append(ids, cell.Strategy)
		}
	}
	return ids
}

func isDefault(column string) bool { return slices.Contains(catalogue.ColumnIDs(), column) }

func (t *table) head(columns []catalogue.Column) {
	fmt.Fprintf(&t.text, "%-17s", "")
	for _, column := range columns {
		fmt.Fprintf(&t.text, "%-3s", column.Code)
	}
	t.line("")
}

func (t *table) row(strategy string, columns []catalogue.Column, cells []Cell) {
	fmt.Fprintf(&t.text, "%-17s", strategy)
	for _, column := range columns {
		for _, cell := range cells {
			if cell.Strategy == strategy && cell.Fault == column.ID {
				t.text.WriteString(t.painted(cell, fmt.Sprintf("%-3s", cell.Mark())))
			}
		}
	}
	t.line("")
}

// Mark is the cell in two letters at most; an exclamation mark says that it is not as expected.
func (c *Cell) Mark() string {
	switch {
	case c.State == NotApplicable:
		return "-"
	case c.Error != "":
		return "!"
	}
	mark := catalogue.Mark(c.Verdict, c.Wrong)
	if !c.OK {
		mark += "!"
	}
	return mark
}

func (t *table) painted(c Cell, text string) string {
	if !t.colour {
		return text
	}
	colour := green
	switch {
	case c.State == NotApplicable:
		colour = grey
	case !c.OK:
		colour = notice
	case c.Red():
		colour = red
	}
	return colour + text + plain
}

func (t *table) legend(columns []catalogue.Column) {
	t.line("ok right  2 charged twice  2p points twice too  p points twice  0 not charged")
	t.line("m money without a ledger  r receipts  L honest sale dropped  - no step  ! wrong")
	t.line("")
	for i, column := range columns {
		fmt.Fprintf(&t.text, "%s %-24s", column.Code, column.Title.EN)
		if i%3 == 2 || i == len(columns)-1 {
			t.line("")
		}
	}
}

// surroundings lists the cells that belong to no strategy.
func (t *table) surroundings(cells []Cell) {
	for _, cell := range cells {
		if isDefault(cell.Fault) {
			continue
		}
		t.line("%s %-17s %s", t.painted(cell, fmt.Sprintf("%-3s", cell.Mark())), cell.Strategy, cell.Fault)
	}
}

// differences says of every unexpected cell what it should have been.
func (t *table) differences(cells []Cell) {
	for _, cell := range cells {
		if cell.OK {
			continue
		}
		t.line("NOT AS EXPECTED  %s · %s", cell.Strategy, cell.Fault)
		if cell.Error != "" {
			t.line("  %s", cell.Error)
		}
		t.line("  expected %s%s, got %s%s (charges %d, points %d, receipts %d, deliveries %d) · run %s", cell.Expected,
			wrongs(cell.MustBe), cell.Verdict, wrongs(cell.Wrong), cell.Charges, cell.Points, cell.Receipts,
			cell.Deliveries, cell.Run)
	}
}

func wrongs(effects []string) string {
	if len(effects) == 0 {
		return ""
	}
	return " with wrong " + strings.Join(effects, ", ")
}
