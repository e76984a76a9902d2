package matrix

import (
	_ "embed" // for the page
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/catalogue"
)

//go:embed page.html
var page string

// WriteHTML writes the matrix as one page that needs nothing else, in both languages. Each cell opens
// the trace of its run.
func WriteHTML(out io.Writer, r Result) error {
	parsed, err := template.New("matrix").Parse(page)
	if err != nil {
		return fmt.Errorf("parse the page: %w", err)
	}
	runs := map[string]lab.Run{}
	for _, cell := range r.Cells {
		if cell.Run != "" {
			runs[cell.Run] = cell.trace
		}
	}
	traces, err := json.Marshal(runs)
	if err != nil {
		return fmt.Errorf("encode the traces: %w", err)
	}
	return parsed.Execute(out, map[string]any{
		"Result": r, "Columns": catalogue.Columns(), "Rows": rowsOf(r),
		"Runs": template.JS(traces), //nolint:gosec // Encoded just now.
	})
}

// htmlRow is one strategy's line.
type htmlRow struct {
	Strategy string
	Cells    []*Cell
}

// rowsOf sorts the cells into lines; a cell of another page of the matrix is left out of none.
func rowsOf(r Result) []htmlRow {
	var rows []htmlRow
	for _, id := range strategiesOf(r.Cells) {
		row := htmlRow{Strategy: id}
		for i := range r.Cells {
			if cell := &r.Cells[i]; cell.Strategy == id && isDefault(cell.Fault) {
				row.Cells = append(row.Cells, cell)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Others lists the cells that belong to no strategy.
func (r Result) Others() []Cell {
	return slices.DeleteFunc(slices.Clone(r.Cells), func(c Cell) bool { return isDefault(c.Fault) })
}
