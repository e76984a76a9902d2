package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// job asks for a piece of work and waits until it is over.
func (d *demoUnderTest) job(path, body string, into any) {
	d.t.Helper()
	var begun struct{ ID, State string }
	d.must(http.MethodPost, path, body, &begun)
	if begun.ID == "" || begun.State != "running" {
		d.t.Fatalf("%s begins as %+v", path, begun)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var document json.RawMessage
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); <-tick.C {
		d.must(http.MethodGet, path+"/"+begun.ID, "", &document)
		var shown struct{ State string }
		if err := json.Unmarshal(document, &shown); err != nil {
			d.t.Fatal(err)
		}
		if shown.State == "running" {
			continue
		}
		if shown.State != "finished" {
			d.t.Fatalf("%s is %s", path, document)
		}
		if err := json.Unmarshal(document, into); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	d.t.Fatalf("%s did not end in time: %s", path, document)
}

// TestRunsMatricesAndSearchesOverHTTP asks a demo for one of each, in lanes beside its shop.
func TestRunsMatricesAndSearchesOverHTTP(t *testing.T) { //nolint:paralleltest // It looks for lanes of anybody.
	d := startDemo(t)
	var run lab.Run
	d.job("/lab/runs", `{"strategy":"key-only","faults":[{"point":"stripe.response_lost"},
		{"point":"worker.received","action":"hold","delivery":2,"duration_ms":20000}],
		"then":[{"on":"step.waiting","do":"clock","with":{"advance":"25h"}},{"on":"step.waiting","do":"step"}]}`, &run)
	if run.Verdict != payments.DoubleCharged || len(run.Verdicts) != 1 || run.Verdicts[0].Charges != 2 ||
		len(run.Statement.Bank.Lines) != 2 || len(run.Events) < 10 || run.Commit == "" {
		t.Errorf("a key that the bank forgot: %s, %+v, %d lines, %d events", run.Verdict, run.Verdicts,
			len(run.Statement.Bank.Lines), len(run.Events))
	}
	var sale lab.Run
	d.job("/lab/runs", `{"strategy":"trace-key","orders":2}`, &sale)
	if sale.Verdict != payments.SaleLost || len(sale.Verdicts) != 2 {
		t.Errorf("two orders of one trace: %s, %d verdicts", sale.Verdict, len(sale.Verdicts))
	}
	var list struct {
		Runs []struct{ ID, Verdict string }
	}
	d.must(http.MethodGet, "/lab/runs", "", &list)
	if len(list.Runs) != 2 || list.Runs[0].ID != sale.ID || list.Runs[1].ID != run.ID {
		t.Errorf("the runs are %+v", list.Runs)
	}
	var matrix struct {
		Cells   []struct{ OK bool }
		Summary struct{ Cells, OK int }
		Done    int
		Total   int
	}
	got, err := d.send(http.MethodGet, "/lab/matrix", "", nil, nil)
	if err != nil || got.status != http.StatusNoContent {
		t.Errorf("before any matrix the latest is %d %s, %v", got.status, got.body, err)
	}
	d.job("/lab/matrix", `{"strategy":["naive","hybrid"],"fault":["crash:worker.charged"]}`, &matrix)
	if matrix.Summary.OK != 2 || matrix.Done != 2 || matrix.Total != 2 || len(matrix.Cells) != 2 {
		t.Errorf("the matrix is %+v", matrix)
	}
	var search struct {
		Strategies []struct {
			Strategy string
			Safe     bool
		}
	}
	d.job("/lab/explore", `{"strategy":["naive","seen-set-and-key"]}`, &search)
	if len(search.Strategies) != 2 || search.Strategies[0].Safe || !search.Strategies[1].Safe {
		t.Errorf("the search found %+v", search)
	}
	if len(d.state().Processes) != 5 {
		t.Errorf("the lanes are no processes of this lab: %+v", d.state().Processes)
	}
	wantNoLane(t)
}

// TestARunsTraceShowsWhileItRuns: a worker hangs after its charge, and the charge is seen already.
func TestARunsTraceShowsWhileItRuns(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	var begun lab.Run
	d.must(http.MethodPost, "/lab/runs", `{"strategy":"naive",
		"faults":[{"point":"worker.charged","action":"hang","duration_ms":3000}]}`, &begun)
	eventually(t, "the charge shows while the run goes on", func() bool {
		var run lab.Run
		d.must(http.MethodGet, "/lab/runs/"+begun.ID, "", &run)
		return run.State == lab.Running && run.Strategy == "naive" &&
			slices.ContainsFunc(run.Events, func(e step.Event) bool { return e.Step == step.WorkerCharged })
	})
}

// TestACheckoutIsARunToo, under its order's id, before and after a reset.
func TestACheckoutIsARunToo(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	d.must(http.MethodPut, "/lab/setup", `{"settings":{"strategy":"naive"},
		"faults":[{"point":"worker.charged","action":"crash"}]}`, nil)
	order, err := d.checkout("ayse", "k", coffee)
	if err != nil {
		t.Fatal(err)
	}
	d.quiet()
	var before, after lab.Run
	d.must(http.MethodGet, "/lab/runs/"+order.ID, "", &before)
	d.must(http.MethodPost, "/lab/reset", "", nil)
	d.must(http.MethodGet, "/lab/runs/"+order.ID, "", &after)
	for name, run := range map[string]lab.Run{"before": before, "after": after} {
		if run.ID != order.ID || run.State != lab.Finished || run.Strategy != "naive" ||
			run.Verdict != payments.DoubleCharged || len(run.Faults) != 1 ||
			run.Faults[0].Point != step.WorkerCharged ||
			len(run.Events) < 10 {
			t.Errorf("%s the reset: %s %s, strategy %s, faults %+v, %d events", name, run.State, run.Verdict,
				run.Strategy, run.Faults, len(run.Events))
		}
	}
	if got, err := d.send(http.MethodGet, "/lab/runs/0197a1c2-0000-7000-8000-000000000001", "", nil, nil); err != nil ||
		got.status != http.StatusNotFound {
		t.Errorf("a run that is not there: %s %v", got, err)
	}
}

// TestTheStrategiesAreDescribed in both languages, with their source.
func TestTheStrategiesAreDescribed(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	var list struct{ Strategies []step.StrategyInfo }
	d.must(http.MethodGet, "/lab/strategies", "", &list)
	if len(list.Strategies) != 17 {
		t.Fatalf("%d strategies", len(list.Strategies))
	}
	for _, s := range list.Strategies {
		if s.Title.EN == "" || s.Title.TR == "" || !strings.Contains(s.Source, "Handle(") || len(s.Lines) < 3 {
			t.Errorf("%s: %+v, lines %v", s.ID, s.Title, s.Lines)
		}
	}
}
