package scenario_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/payments"
)

// twice is a run that ended in a double charge.
func twice() lab.Run {
	v := payments.Verdict{Charges: 2, Ledger: "missing-charge", Deliveries: 2, Requests: 2, Replayed: 1}
	v.Effects.Status.Got, v.Effects.Points.Got, v.Effects.Receipt.Got = payments.OrderPaid, 420, 1
	return lab.Run{ID: "r", Verdict: payments.DoubleCharged, Verdicts: []payments.Verdict{v}}
}

func expectTwice() map[scenario.Measure]scenario.Value {
	return map[scenario.Measure]scenario.Value{
		scenario.Verdict: "double-charged", scenario.Charges: "2", scenario.Status: "paid", scenario.Points: "420",
		scenario.Receipt: "1", scenario.Ledger: "missing-charge", scenario.Deliveries: "2", scenario.Requests: "2",
		scenario.Replayed: "1",
	}
}

// TestEveryMeasureIsChecked: a wrong expectation is found in each, and in no other.
func TestEveryMeasureIsChecked(t *testing.T) {
	t.Parallel()
	run := scenario.Run{Expect: expectTwice()}
	checks := run.Check(twice())
	if len(checks) != len(scenario.Measures()) || len(scenario.Differences(checks)) > 0 {
		t.Errorf("as expected: %+v", checks)
	}
	for _, measure := range scenario.Measures() {
		run.Expect = expectTwice()
		right := run.Expect[measure]
		run.Expect[measure] = "7"
		want := []scenario.Check{{Name: string(measure), Got: right, Expected: "7"}}
		if diff := cmp.Diff(want, scenario.Differences(run.Check(twice()))); diff != "" {
			t.Errorf("a wrong %s: %s", measure, diff)
		}
	}
	run.Expect = map[scenario.Measure]scenario.Value{scenario.Points: "420"}
	if checks := run.Check(twice()); len(checks) != 1 || !checks[0].OK {
		t.Errorf("what is not named is not checked: %+v", checks)
	}
}

// TestSeveralOrdersAreTakenTogether: numbers add up, and words that differ are all told.
func TestSeveralOrdersAreTakenTogether(t *testing.T) {
	t.Parallel()
	run := twice()
	lost := payments.Verdict{Ledger: "agrees", Deliveries: 1}
	lost.Effects.Status.Got = payments.OrderPending
	run.Verdicts = append(run.Verdicts, lost, lost)
	checks := scenario.Run{Expect: expectTwice()}.Check(run)
	want := []scenario.Check{
		{Name: "status", Got: "paid, pending", Expected: "paid"},
		{Name: "ledger", Got: "missing-charge, agrees", Expected: "missing-charge"},
		{Name: "deliveries", Got: "4", Expected: "2"},
	}
	if diff := cmp.Diff(want, scenario.Differences(checks)); diff != "" {
		t.Error(diff)
	}
}

// TestACellIsHeldAgainstTheCatalogue, and one whose fault did not strike has shown nothing.
func TestACellIsHeldAgainstTheCatalogue(t *testing.T) {
	t.Parallel()
	cell := matrix.Cell{
		Fault: "crash:worker.charged", Verdict: payments.DoubleCharged, Wrong: []string{"charge"},
		Expected: payments.DoubleCharged, MustBe: []string{"charge"}, OK: true,
	}
	want := scenario.Check{Name: "crash:worker.charged", Got: "2", Expected: "2", OK: true}
	if diff := cmp.Diff(want, scenario.CheckCell(cell)); diff != "" {
		t.Error(diff)
	}
	cell.Verdict, cell.Wrong, cell.OK = payments.ChargedOnce, []string{}, false
	if got := scenario.CheckCell(cell); got.OK || got.Got != "ok" || got.Expected != "2" {
		t.Errorf("another verdict: %+v", got)
	}
	cell.Error = "the fault did not strike"
	if got := scenario.CheckCell(cell); got.OK || got.Got != "the fault did not strike" {
		t.Errorf("no fault: %+v", got)
	}
}

// TestAValueIsANumberWhereItIsOne.
func TestAValueIsANumberWhereItIsOne(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal([]scenario.Value{"2", "paid"})
	if err != nil || string(data) != `[2,"paid"]` {
		t.Errorf("%s, %v", data, err)
	}
	var back []scenario.Value
	if err := json.Unmarshal(data, &back); err != nil || back[0] != "2" || back[1] != "paid" {
		t.Errorf("%v, %v", back, err)
	}
}
