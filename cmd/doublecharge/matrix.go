package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"example.com/doublecharge/lab/lane"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

type matrixCommand struct {
	Strategies []string `name:"strategy" placeholder:"ID" help:"Only these strategies."`
	Faults     []string `name:"fault" placeholder:"ID" help:"Only these columns."`
	All        bool     `help:"Also every action at every step of api, relay and mailer, and restarts of the servers."`
	Format     string   `enum:"table,json,html" default:"table" help:"table, json or html."`
	Out        string   `placeholder:"FILE" help:"Write the result to a file."`
	Lanes      int      `default:"8" help:"How many cells run side by side, 1 to 16."`
}

// Validate bounds what is asked for.
func (c *matrixCommand) Validate() error {
	if c.Lanes < 1 || c.Lanes > 16 {
		return errors.New("--lanes must be 1 to 16")
	}
	_, err := matrix.Plan(c.spec())
	if field, ok := errors.AsType[*payments.FieldError](err); ok {
		return fmt.Errorf("--%s: %s", field.Field, field.Detail)
	}
	return err
}

func (c *matrixCommand) spec() step.MatrixSpec {
	return step.MatrixSpec{Strategies: c.Strategies, Faults: c.Faults, All: c.All}
}

// Run exits with 0 when every cell is as expected, red ones included.
func (c *matrixCommand) Run(ctx context.Context, a *app) (err error) {
	cells, err := matrix.Plan(c.spec())
	if err != nil {
		return err
	}
	out, closeOut, err := a.output(c.Out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeOut()) }()
	laboratory, err := a.openLaboratory(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, laboratory.Close(ctx)) }()
	m := c.matrix(a, laboratory.lanes())
	m.Restart = laboratory.restart
	result, err := m.Run(ctx, cells)
	a.endProgress()
	if err != nil {
		return err
	}
	if err := c.write(out, a.isTerminal(out), result); err != nil {
		return err
	}
	if result.Summary.Differ > 0 {
		return statusError(exitFound)
	}
	return nil
}

func (c *matrixCommand) matrix(a *app, lanes lane.Config) matrix.Matrix {
	return matrix.Matrix{
		Lanes: c.Lanes, Commit: version(),
		Open: func(ctx context.Context) (matrix.Player, error) { return lane.Open(ctx, lanes) },
		OnCell: func(done, total int, cell matrix.Cell) {
			if total == 0 { // All strategies at once.
				a.progress("all strategies  %s", cell.Fault)
				return
			}
			a.progress("%d of %d  %s  %s", done, total, cell.Strategy, cell.Fault)
		},
	}
}

func (c *matrixCommand) write(out io.Writer, colour bool, result matrix.Result) error {
	switch c.Format {
	case "json":
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(result)
	case "html":
		return matrix.WriteHTML(out, result)
	default:
		return matrix.WriteTable(out, result, colour)
	}
}

// output is where a result goes: a file, or standard output.
func (a *app) output(path string) (io.Writer, func() error, error) {
	if path == "" {
		return a.stdout, func() error { return nil }, nil
	}
	file, err := os.Create(path) //nolint:gosec // The user names it.
	if err != nil {
		return nil, nil, fmt.Errorf("--out: %w", err)
	}
	return file, file.Close, nil
}

// isTerminal says whether somebody looks at it.
func (a *app) isTerminal(out io.Writer) bool {
	file, isFile := out.(*os.File)
	if !isFile {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progress tells on standard error how far it is: on a terminal in one line that is written over.
func (a *app) progress(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if a.isTerminal(a.stderr) {
		fmt.Fprintf(a.stderr, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(a.stderr, line)
}

// endProgress leaves an empty line for what follows.
func (a *app) endProgress() {
	if a.isTerminal(a.stderr) {
		fmt.Fprint(a.stderr, "\r\x1b[K")
	}
}
