package matrix_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// player is a lane that answers what a test wants.
type player struct {
	answer func(step.RunSpec) (lab.Run, error)
	closed *atomic.Int32
}

func (p player) Play(_ context.Context, id string, spec step.RunSpec) (lab.Run, error) {
	run, err := p.answer(spec)
	run.ID = id
	return run, err
}

func (p player) PlayTogether(
	ctx context.Context, id string, strategies []string, meanwhile func(context.Context) error,
) ([]lab.Run, error) {
	var runs []lab.Run
	for range strategies {
		run, _ := p.Play(ctx, id, step.RunSpec{})
		runs = append(runs, run)
	}
	return runs, meanwhile(ctx)
}

func (p player) Close(context.Context) error {
	p.closed.Add(1)
	return nil
}

// asExpected is the run that the table expects, with every fault fired.
func asExpected(cells []matrix.Cell) func(step.RunSpec) (lab.Run, error) {
	cells = slices.Clone(cells) // The matrix writes to its own while this reads.
	return func(spec step.RunSpec) (lab.Run, error) {
		run := lab.Run{RunSpec: spec, Verdict: payments.ChargedOnce, Wrong: []string{}}
		for _, cell := range cells {
			if cell.Strategy == spec.Strategy && cell.State == matrix.Ran {
				run.Verdict, run.Wrong = cell.Expected, cell.MustBe
			}
		}
		for _, point := range step.Points() {
			run.Events = append(run.Events, step.Event{
				Step: step.FaultFired, Detail: step.Detail{Point: string(point.Name)},
			})
		}
		return run, nil
	}
}

func plan(t *testing.T, spec step.MatrixSpec) []matrix.Cell {
	t.Helper()
	cells, err := matrix.Plan(spec)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func play(t *testing.T, cells []matrix.Cell, answer func(step.RunSpec) (lab.Run, error)) matrix.Result {
	t.Helper()
	var closed atomic.Int32
	open := func(context.Context) (matrix.Player, error) { return player{answer, &closed}, nil }
	m := matrix.Matrix{Lanes: 3, Open: open}
	result, err := m.Run(t.Context(), cells)
	if err != nil {
		t.Fatal(err)
	}
	if n := min(3, matrix.Total(cells)); int(closed.Load()) != n {
		t.Errorf("%d lanes were closed, want %d", closed.Load(), n)
	}
	return result
}

func TestThePlanHasEveryStrategyInEveryColumn(t *testing.T) {
	t.Parallel()
	cells := plan(t, step.MatrixSpec{})
	if want := len(strategy.IDs()) * len(catalogue.Columns()); len(cells) != want {
		t.Errorf("%d cells, want %d", len(cells), want)
	}
	all := plan(t, step.MatrixSpec{All: true})
	if !slices.ContainsFunc(all, func(c matrix.Cell) bool { return c.Fault == "disconnect:relay.claimed" }) ||
		slices.ContainsFunc(all, func(c matrix.Cell) bool { return c.Fault == "disconnect:mail.sent" }) {
		t.Error("--all is not every action at every step that has it")
	}
	one := plan(t, step.MatrixSpec{Strategies: []string{"naive"}, Faults: []string{"two-workers"}})
	if len(one) != 1 || one[0].Strategy != "naive" || one[0].Fault != "two-workers" {
		t.Errorf("one cell was asked for: %+v", one)
	}
}

func TestWhatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	for field, spec := range map[string]step.MatrixSpec{
		"strategy": {Strategies: []string{"exactly-once"}}, "fault": {Faults: []string{"crash:lunch"}},
	} {
		_, err := matrix.Plan(spec)
		if wrong, ok := errors.AsType[*payments.FieldError](err); !ok || wrong.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestACellIsOKOnlyWhenVerdictEffectsAndFaultAreAsTheyShouldBe spoils one of them at a time.
func TestACellIsOKOnlyWhenVerdictEffectsAndFaultAreAsTheyShouldBe(t *testing.T) {
	t.Parallel()
	spec := step.MatrixSpec{Strategies: []string{"naive"}, Faults: []string{"crash:worker.charged"}}
	for name, c := range map[string]struct {
		spoil func(*lab.Run)
		fails error
		ok    bool
	}{
		"as expected":         {func(*lab.Run) {}, nil, true},
		"another verdict":     {func(r *lab.Run) { r.Verdict = payments.ChargedOnce }, nil, false},
		"other effects":       {func(r *lab.Run) { r.Wrong = []string{"charge", "points"} }, nil, false},
		"nothing wrong":       {func(r *lab.Run) { r.Wrong = []string{} }, nil, false},
		"the fault is silent": {func(r *lab.Run) { r.Events = nil }, nil, false},
		"the run fails":       {func(*lab.Run) {}, errors.New("no lane"), false},
	} {
		cells := plan(t, spec)
		answer := asExpected(cells)
		result := play(t, cells, func(spec step.RunSpec) (lab.Run, error) {
			run, _ := answer(spec)
			c.spoil(&run)
			return run, c.fails
		})
		if got := result.Cells[0]; got.OK != c.ok || (result.Summary.Differ == 0) != c.ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestTheResultIsShownInEveryForm: a terminal of 80 columns, JSON by the contract's names, a page by itself.
func TestTheResultIsShownInEveryForm(t *testing.T) {
	t.Parallel()
	cells := plan(t, step.MatrixSpec{Faults: []string{"crash:worker.charged"}})
	result := play(t, cells, asExpected(cells))
	var table, page strings.Builder
	if err := errors.Join(matrix.WriteTable(&table, result, false), matrix.WriteHTML(&page, result)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(table.String()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"naive            2  ", "seen-set-and-key ok ", "17 cells in"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table has no %q:\n%s", want, table.String())
		}
	}
	for _, reason := range []string{"fell into the gap", "boşluğa denk geldi", "data-run="} {
		if !strings.Contains(page.String(), reason) {
			t.Errorf("the page has no %q", reason)
		}
	}
	if strings.Contains(page.String(), "http://") || strings.Contains(page.String(), "https://") {
		t.Error("the page needs something else")
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		`"strategy":"naive"`, `"fault":"crash:worker.charged"`, `"action":"crash"`, `"state":"run"`, `"run":"`,
		`"fired":1`, `"expected":"double-charged"`, `"verdict":"double-charged"`, `"charges":`, `"points":`,
		`"receipts":`,
		`"deliveries":`, `"ok":true`, `"millis":`, `"summary":{"cells":17`, `"differ":0`, `"seconds":`,
	} {
		if !strings.Contains(string(text), name) {
			t.Errorf("the JSON has no %s", name)
		}
	}
}
