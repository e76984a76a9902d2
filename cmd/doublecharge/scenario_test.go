package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/doublecharge/lab/runner"
	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/lab/stack/stacktest"
)

// TestTheLessonRehearses in a running demo, whose page has the recordings afterwards.
func TestTheLessonRehearses(t *testing.T) { //nolint:paralleltest // It looks for lanes of anybody.
	d := startDemo(t)
	cmd := program(t, []string{"scenario", "rehearse", "--plan", "45", "--format", "json"}, "LAB_URL="+d.base)
	var progress bytes.Buffer
	cmd.Stderr = &progress
	out, err := cmd.Output()
	var rehearsal scenario.Rehearsal
	if decodeErr := json.Unmarshal(out, &rehearsal); decodeErr != nil {
		t.Fatalf("%v, %v: %s\n%s", err, decodeErr, out, progress.String())
	}
	t.Logf("the lesson takes %d ms to rehearse", rehearsal.Millis)
	if err != nil || !rehearsal.OK || len(rehearsal.Steps) != 14 || rehearsal.Lab != d.base {
		t.Errorf("%v, ok %t, %d steps, lab %s", err, rehearsal.OK, len(rehearsal.Steps), rehearsal.Lab)
	}
	for _, step := range rehearsal.Steps {
		if !step.OK || step.Commit == "" {
			t.Errorf("%d, %s: %+v %s", step.Step, step.Scenario, scenario.Differences(step.Checks), step.Error)
		}
		var recording struct {
			ID   string
			Runs []struct {
				State  string
				Events []struct{}
			}
		}
		d.must(http.MethodGet, "/lab/scenarios/"+step.Scenario+"/recording", "", &recording)
		if recording.ID != step.ID || len(recording.Runs) != len(step.Runs) {
			t.Errorf("%s: recording %s with %d runs, want %s with %d", step.Scenario, recording.ID,
				len(recording.Runs), step.ID, len(step.Runs))
		}
		for _, run := range recording.Runs {
			if run.State != "finished" || len(run.Events) < 5 {
				t.Errorf("%s: a run is recorded as %s, with %d events", step.Scenario, run.State, len(run.Events))
			}
		}
	}
	for _, want := range []string{"1/14  naive-crash-after-charge", "14/14  receipt-at-least-once", d.base} {
		if !strings.Contains(progress.String(), want) {
			t.Errorf("standard error does not say %q:\n%s", want, progress.String())
		}
	}
	wantNoLane(t)
}

// TestAScenarioRunsWithoutALab, and is told in Turkish.
func TestAScenarioRunsWithoutALab(t *testing.T) { //nolint:paralleltest // It looks for lanes of anybody.
	lab := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a lab was asked that was not to be used")
	}))
	defer lab.Close()
	cmd := laboratoryProgram(t, "scenario", "run", "answer-lost", "--lang", "tr", "--lab", "", "--log-level", "error")
	cmd.Env = append(cmd.Env, "LAB_URL="+lab.URL)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v: %s", err, said.String())
	}
	for _, want := range []string{
		"Yanıt kayboluyor", "● Bilinmiyor: çekilmiş de olabilir, çekilmemiş de   (yanıt)", "Korumasız",
		"✓ çekim                    2    ", "Seen-set + anahtar", "✓ saklanan yanıt           1    ",
		"Neden: Bilinmiyor, başlı başına bir durumdur.", "Hepsi beklendiği gibi.",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if !strings.Contains(said.String(), "Çalışan bir lab yok") {
		t.Errorf("it does not say which lab it takes:\n%s", said.String())
	}
	wantNoLane(t)
}

// TestAFalseExpectationIsFound on real processes: each kind of scenario says what differs, and the command
// exits with 1.
func TestAFalseExpectationIsFound(t *testing.T) { //nolint:paralleltest // It looks for lanes of anybody.
	servers := stacktest.Servers(t)
	for name, value := range map[string]string{
		asProgram:      "1", // What it starts is the program.
		"DATABASE_URL": servers.DatabaseURL, "AMQP_URL": servers.AMQPURL, "REDIS_URL": servers.RedisURL,
	} {
		t.Setenv(name, value)
	}
	var out bytes.Buffer
	a := &app{cli: &commands{}, stdout: &out, stderr: t.Output()} // Its children write there, too.
	laboratory, err := a.openLaboratory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	own := &ownPlayer{laboratory, runner.Stage{Lanes: laboratory.lanes(), Commit: "c"}}
	steps, err := scenario.Plan("45")
	if err != nil {
		t.Fatal(err)
	}
	steps = scenario.Short(steps, "45")[:2]
	steps[0].Runs[0].Expect[scenario.Charges] = "1"
	c := rehearseCommand{Plan: "45", toldFlags: toldFlags{Lang: "en", Format: "text"}}
	if code := a.code(c.rehearse(t.Context(), a, steps, own)); code != exitFound {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{"✗ run 1, charges: 2 (expected: 1)", "Not as expected."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if strings.Count(out.String(), "✗") != 2 { // Its line, and what differs.
		t.Errorf("the other step differs, too:\n%s", out.String())
	}
	if err := own.Close(t.Context()); err != nil {
		t.Error(err)
	}
	wantNoLane(t)
}

// TestTheScenariosAreListed in the language that is asked for, or as the lab shows them.
func TestTheScenariosAreListed(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"en": "Who made the mistake?", "tr": "Hatayı kim yaptı?"} {
		var out, said bytes.Buffer
		args := []string{"scenario", "list", "--lang", language}
		if code := run(t.Context(), args, &out, &said); code != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("exit %d: %s%s", code, out.String(), said.String())
		}
	}
	var out, said bytes.Buffer
	var list scenario.List
	code := run(t.Context(), []string{"scenario", "list", "--format", "json"}, &out, &said)
	if err := json.Unmarshal(out.Bytes(), &list); err != nil || code != 0 || len(list.Scenarios) < 14 {
		t.Errorf("exit %d, %v: %s", code, err, out.String())
	}
}

// TestAScenarioIsAskedForByAGoodName before anything is started.
func TestAScenarioIsAskedForByAGoodName(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		`there is no scenario "answer-loss"; near are answer-lost`: {"scenario", "run", "answer-loss"},
		`there is no plan "90"`: {"scenario", "rehearse", "--plan", "90"},
		"--lang":                {"scenario", "list", "--lang", "de"},
	} {
		var out, said bytes.Buffer
		if code := run(t.Context(), args, &out, &said); code != exitUsage || !strings.Contains(said.String(), want) {
			t.Errorf("%v: exit %d, %s", args, code, said.String())
		}
	}
}

// TestARunningLabsDifferenceIsAnExitCode, and so is a scenario that it could not play.
func TestARunningLabsDifferenceIsAnExitCode(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"id":"x","state":"finished","ok":true,
			"checks":[{"run":0,"name":"points","got":420,"expected":420,"ok":true}]}`: "All as expected.",
		`{"id":"x","state":"finished","ok":false,
			"checks":[{"run":0,"name":"points","got":840,"expected":420,"ok":false}]}`: "points                   840",
		`{"id":"x","state":"stopped","error":"out of coffee"}`: "out of coffee",
	} {
		lab := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/lab/state":
				_, _ = io.WriteString(w, `{}`)
			case "/lab/scenarios/answer-lost/runs", "/lab/scenarios/answer-lost/runs/x":
				_, _ = io.WriteString(w, document)
			default:
				http.NotFound(w, r)
			}
		}))
		defer lab.Close()
		wantCode := exitFound
		if strings.Contains(document, `"ok":true,`) {
			wantCode = 0
		}
		var out, said bytes.Buffer
		code := run(t.Context(), []string{"scenario", "run", "answer-lost", "--lab", lab.URL}, &out, &said)
		if code != wantCode || !strings.Contains(out.String()+said.String(), want) {
			t.Errorf("%s: exit %d\n%s%s", document, code, out.String(), said.String())
		}
	}
}

// TestALabThatIsBootingIsNoReasonForAnother: a second one beside it would show nothing on its page.
func TestALabThatIsBootingIsNoReasonForAnother(t *testing.T) {
	t.Parallel()
	lab := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer lab.Close()
	var out, said bytes.Buffer
	code := run(t.Context(), []string{"scenario", "rehearse", "--lab", lab.URL}, &out, &said)
	if code != exitMissing || !strings.Contains(said.String(), "is not ready yet") {
		t.Errorf("exit %d: %s", code, said.String())
	}
}
