package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"example.com/doublecharge/api"
	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/payments/step"
)

// openLessons starts a lab that has scenarios, and nobody who plays them.
func openLessons(t *testing.T) *shop {
	t.Helper()
	return openLab(t, func(c *api.Config) {
		controls, _ := c.Lab.(*lab.Lab)
		controls.Lessons = func() (any, error) { return scenario.Everything() }
		controls.Begin = func(name, id, commit string) (any, error) {
			s, err := scenario.Named(name)
			return s.Begin(id, commit), err
		}
	})
}

// TestWhatAScenarioRunsCanBeRun: the page sends a spec of the list to the lab as it is.
func TestWhatAScenarioRunsCanBeRun(t *testing.T) {
	t.Parallel()
	s := openLessons(t)
	var list struct {
		Plans     []struct{ Steps []string }
		Scenarios []struct {
			Name string
			Runs []struct{ Spec json.RawMessage }
		}
	}
	got := s.do(t, http.MethodGet, "/lab/scenarios", "")
	if err := json.Unmarshal([]byte(got.body), &list); err != nil || len(list.Plans) == 0 {
		t.Fatalf("%d %s, %v", got.status, got.body, err)
	}
	sent := 0
	for _, each := range list.Scenarios {
		for _, run := range each.Runs {
			if began := s.do(t, http.MethodPost, "/lab/runs", string(run.Spec)); began.status != http.StatusAccepted {
				t.Errorf("%s: %s: %d %s", each.Name, run.Spec, began.status, began.body)
			}
			sent++
		}
	}
	if sent < 10 {
		t.Errorf("only %d runs were there to send", sent)
	}
}

// TestAScenarioIsAskedFor, and seen under its name and its id.
func TestAScenarioIsAskedFor(t *testing.T) {
	t.Parallel()
	s := openLessons(t)
	began := s.do(t, http.MethodPost, "/lab/scenarios/answer-lost/runs", "")
	var report scenario.Report
	if err := json.Unmarshal([]byte(began.body), &report); err != nil || began.status != http.StatusAccepted ||
		report.Scenario != "answer-lost" || report.State != lab.Running || report.OK || report.ID == "" {
		t.Fatalf("it began as %d %s, %v", began.status, began.body, err)
	}
	for _, list := range []string{`"runs":[]`, `"checks":[]`} {
		if !strings.Contains(began.body, list) {
			t.Errorf("the report has no %s: %s", list, began.body)
		}
	}
	path := "/lab/scenarios/answer-lost/runs/" + report.ID
	if at := began.header.Get("Location"); at != path {
		t.Errorf("it is at %q", at)
	}
	if seen := s.do(t, http.MethodGet, path, ""); seen.status != http.StatusOK || seen.body != began.body {
		t.Errorf("it is seen as %d %s", seen.status, seen.body)
	}
	for _, elsewhere := range []string{
		"/lab/scenarios/seen-set-row/runs/" + report.ID, "/lab/runs/" + report.ID,
		"/lab/scenarios/answer-lost/runs/0197a1c2-0000-7000-8000-000000000001",
	} {
		if got := s.do(t, http.MethodGet, elsewhere, ""); got.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", elsewhere, got.status, got.body)
		}
	}
}

// TestAScenarioThatThereIsNotIsNotFound, and the problem names those that are near.
func TestAScenarioThatThereIsNotIsNotFound(t *testing.T) {
	t.Parallel()
	s := openLessons(t)
	got := s.do(t, http.MethodPost, "/lab/scenarios/answer-loss/runs", "")
	problem := got.problem(t)
	if got.status != http.StatusNotFound || !strings.Contains(problem.Detail, "near are answer-lost") {
		t.Errorf("%d %s", got.status, got.body)
	}
	got = s.do(t, http.MethodPost, "/lab/scenarios/answer-lost/runs", `{"expect":{}}`)
	if problem = got.problem(t); got.status != http.StatusUnprocessableEntity || problem.Field != "expect" {
		t.Errorf("a body that nobody reads: %d %s", got.status, got.body)
	}
}

// TestALabWithoutScenariosSaysSo rather than failing.
func TestALabWithoutScenariosSaysSo(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	for _, got := range []reply{
		s.do(t, http.MethodGet, "/lab/scenarios", ""), s.do(t, http.MethodPost, "/lab/scenarios/x/runs", ""),
	} {
		if problem := got.problem(t); got.status != http.StatusConflict || problem.Detail == "" {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
}

// TestTheRecordingIsTheLastThatWentAsExpected, with its whole runs, and outlives a reset.
func TestTheRecordingIsTheLastThatWentAsExpected(t *testing.T) {
	t.Parallel()
	s := openLessons(t)
	const (
		run     = "0197a1c2-0000-7000-8000-0000000000aa"
		older   = "0197a1c2-0000-7000-8000-000000000001"
		good    = "0197a1c2-0000-7000-8000-000000000002"
		differs = "0197a1c2-0000-7000-8000-000000000003"
		stopped = "0197a1c2-0000-7000-8000-000000000004"
		begun   = "0197a1c2-0000-7000-8000-000000000005"
		another = "0197a1c2-0000-7000-8000-000000000006"
	)
	path := "/lab/scenarios/answer-lost/recording"
	if got := s.do(t, http.MethodGet, path, ""); got.status != http.StatusNotFound {
		t.Errorf("before any: %d %s", got.status, got.body)
	}
	s.keep(t, step.RunJob, run, `{}`, `{"id":"`+run+`","events":[{"id":1}]}`)
	of := func(ok string) string {
		return `{"scenario":"answer-lost","ok":` + ok + `,"runs":["` + run + `"],"id":"`
	}
	s.keep(t, step.ScenarioJob, older, `{"scenario":"answer-lost"}`, of("true")+older+`"}`)
	s.keep(t, step.ScenarioJob, good, `{"scenario":"answer-lost"}`, of("true")+good+`"}`)
	s.keep(t, step.ScenarioJob, differs, `{"scenario":"answer-lost"}`, of("false")+differs+`"}`)
	s.keep(t, step.ScenarioJob, stopped, `{"scenario":"answer-lost"}`, of("true")+stopped+`"}`)
	if err := s.store.EndJob(t.Context(), stopped, json.RawMessage(of("true")+stopped+`"}`), false); err != nil {
		t.Fatal(err)
	}
	s.keep(t, step.ScenarioJob, another, `{"scenario":"seen-set-row"}`, `{"scenario":"seen-set-row","ok":true}`)
	err := s.store.AddJob(t.Context(), step.Job{
		ID: begun, Kind: step.ScenarioJob, Spec: json.RawMessage(`{"scenario":"answer-lost"}`),
		Document: json.RawMessage(of("true") + begun + `"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.FinishReset(t.Context()); err != nil {
		t.Fatal(err)
	}
	var recording struct {
		ID   string
		Runs []struct {
			ID     string
			Events []struct{}
		}
	}
	got := s.do(t, http.MethodGet, path, "")
	if err := json.Unmarshal([]byte(got.body), &recording); err != nil || recording.ID != good ||
		len(recording.Runs) != 1 || recording.Runs[0].ID != run || len(recording.Runs[0].Events) != 1 {
		t.Errorf("the recording is %d %s, %v", got.status, got.body, err)
	}
}

// keep keeps a job that is done.
func (s *shop) keep(t *testing.T, kind step.JobKind, id, spec, document string) {
	t.Helper()
	err := s.store.KeepJob(t.Context(), step.Job{
		ID: id, Kind: kind, Spec: json.RawMessage(spec), Document: json.RawMessage(document),
	})
	if err != nil {
		t.Fatal(err)
	}
}
