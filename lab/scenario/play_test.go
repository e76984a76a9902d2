package scenario_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/payments/step"
)

var errBroken = errors.New("the lane broke")

// fakeLab charges twice whatever is run, and plays cells as they are.
type fakeLab struct {
	runs   int
	broken int // the run that fails, from 1
	cells  []matrix.Cell
}

func (f *fakeLab) Run(_ context.Context, id string, _ step.RunSpec) (lab.Run, error) {
	f.runs++
	run := twice()
	run.ID = id
	if f.runs == f.broken {
		return run, errBroken
	}
	return run, nil
}

func (f *fakeLab) Matrix(context.Context, step.MatrixSpec) (matrix.Result, error) {
	return matrix.Result{Cells: f.cells}, nil
}

func twoRuns(charges ...scenario.Value) scenario.Scenario {
	s := scenario.Scenario{Name: "s"}
	for _, n := range charges {
		s.Runs = append(s.Runs, scenario.Run{Expect: map[scenario.Measure]scenario.Value{scenario.Charges: n}})
	}
	return s
}

// TestAReportGrowsRunByRun, and is good only when nothing differs.
func TestAReportGrowsRunByRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expect []scenario.Value
		ok     bool
	}{{[]scenario.Value{"2", "2"}, true}, {[]scenario.Value{"2", "1"}, false}} {
		s := twoRuns(c.expect...)
		var grown []int
		report, err := s.Play(t.Context(), &fakeLab{}, s.Begin("id", "c"), func(r scenario.Report) {
			grown = append(grown, len(r.Runs))
			if r.State != lab.Running || r.OK {
				t.Errorf("on its way it is %s, ok %t", r.State, r.OK)
			}
		})
		if err != nil || !slices.Equal(grown, []int{1, 2}) || report.State != lab.Finished || report.OK != c.ok ||
			len(report.Checks) != 2 || report.Checks[1].Run != 1 || report.ID != "id" ||
			report.Runs[0] == report.Runs[1] {
			t.Errorf("%v: %+v, %v, grown %v", c.expect, report, err, grown)
		}
	}
}

// TestARunThatFailsEndsTheScenario with what was found out before.
func TestARunThatFailsEndsTheScenario(t *testing.T) {
	t.Parallel()
	s := twoRuns("2", "2")
	report, err := s.Play(t.Context(), &fakeLab{broken: 2}, s.Begin("", ""), func(scenario.Report) {})
	if !errors.Is(err, errBroken) || report.OK || report.State == lab.Finished || len(report.Checks) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestCellsThatRanAreChecked, each beside its run.
func TestCellsThatRanAreChecked(t *testing.T) {
	t.Parallel()
	f := &fakeLab{cells: []matrix.Cell{
		{Fault: "a", State: matrix.Ran, Run: "ra", OK: true},
		{Fault: "b", State: matrix.NotApplicable, OK: true},
		{Fault: "c", State: matrix.Ran, Run: "rc", OK: false},
	}}
	s := scenario.Scenario{Cells: &scenario.Cells{Strategy: "naive"}}
	report, err := s.Play(t.Context(), f, s.Begin("", ""), func(scenario.Report) {})
	if err != nil || report.OK || !slices.Equal(report.Runs, []string{"ra", "rc"}) || len(report.Checks) != 2 ||
		report.Checks[1].Name != "c" || report.Checks[1].Run != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// fakePlayer fails at one scenario.
type fakePlayer struct {
	fails string
	then  context.CancelFunc
}

func (f fakePlayer) Play(_ context.Context, s scenario.Scenario) (scenario.Report, error) {
	if s.Name == f.fails {
		f.then()
		return scenario.Report{}, errBroken
	}
	return scenario.Report{Scenario: s.Name, OK: true}, nil
}

// TestARehearsalGoesOnAfterAFailure, because the teacher wants to know all of them; Ctrl-C ends it.
func TestARehearsalGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	steps, begun := lesson(t)[:3], 0
	before := func(done int, _ scenario.Scenario) { begun = done + 1 }
	rehearsal, err := scenario.Rehearse(t.Context(), "45", steps, fakePlayer{steps[1].Name, func() {}}, before)
	if err != nil || rehearsal.OK || len(rehearsal.Steps) != 3 || !rehearsal.Steps[2].OK || begun != 3 ||
		rehearsal.Steps[1].Error != errBroken.Error() || rehearsal.Steps[1].Scenario != steps[1].Name {
		t.Errorf("%+v, %v", rehearsal, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = scenario.Rehearse(ctx, "45", steps, fakePlayer{steps[1].Name, cancel}, before)
	if !errors.Is(err, context.Canceled) || begun != 2 {
		t.Errorf("stopped at %d, %v", begun, err)
	}
}
