package scenario_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// lesson is the plan of 45 minutes.
func lesson(t *testing.T) []scenario.Scenario {
	t.Helper()
	steps, err := scenario.Plan("45")
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// TestTheLessonOf45Minutes has its steps in order, four of which are a lesson by themselves.
func TestTheLessonOf45Minutes(t *testing.T) {
	t.Parallel()
	var minutes, short []int
	for i, s := range lesson(t) {
		place := s.Plan["45"]
		if place.Step != i+1 {
			t.Errorf("%s is step %d, want %d", s.Name, place.Step, i+1)
		}
		minutes = append(minutes, place.Minute)
	}
	for _, s := range scenario.Short(lesson(t), "45") {
		short = append(short, s.Plan["45"].Minute)
	}
	if want := []int{0, 5, 9, 12, 15, 19, 22, 25, 28, 32, 35, 38, 41, 43}; !slices.Equal(minutes, want) {
		t.Errorf("the steps begin at %v", minutes)
	}
	if want := []int{0, 15, 28, 41}; !slices.Equal(short, want) {
		t.Errorf("with 20 minutes lost, %v are left", short)
	}
	if _, err := scenario.Plan("90"); !errors.Is(err, payments.ErrNotFound) {
		t.Errorf("a plan that there is not: %v", err)
	}
}

// TestEverythingIsListed: every plan with its steps, and every scenario.
func TestEverythingIsListed(t *testing.T) {
	t.Parallel()
	list, err := scenario.Everything()
	if err != nil || len(list.Plans) != 1 || list.Plans[0].ID != "45" || len(list.Plans[0].Steps) != 14 {
		t.Fatalf("the plans are %+v, %v", list.Plans, err)
	}
	for i, s := range list.Scenarios[:14] {
		if list.Plans[0].Steps[i] != s.Name {
			t.Errorf("step %d is %s, and scenario %s", i+1, list.Plans[0].Steps[i], s.Name)
		}
	}
}

// TestAFileIsNamedLikeItsScenario, so that it is found.
func TestAFileIsNamedLikeItsScenario(t *testing.T) {
	t.Parallel()
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("scenarios/*.json")
	if err != nil || len(paths) != len(all) {
		t.Fatalf("%d files and %d scenarios, %v", len(paths), len(all), err)
	}
	for _, s := range all {
		if !slices.Contains(paths, "scenarios/"+s.Name+".json") {
			t.Errorf("there is no file of the name %s", s.Name)
		}
	}
}

// TestAMistakeInAScenarioIsNamed, one for each rule.
func TestAMistakeInAScenarioIsNamed(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(*scenario.Scenario){
		"title: ":                func(s *scenario.Scenario) { s.Title.TR = "" },
		"question: ":             func(s *scenario.Scenario) { s.Question.TR = s.Question.EN },
		"source: ":               func(s *scenario.Scenario) { s.Source = "" },
		"chapter: ":              func(s *scenario.Scenario) { s.Chapter = "lunch" },
		"plan.45: ":              func(s *scenario.Scenario) { s.Plan["45"] = scenario.Place{} },
		"kind: ":                 func(s *scenario.Scenario) { s.Kind = "film" },
		"kind: a question":       func(s *scenario.Scenario) { s.Kind = scenario.QuestionKind },
		"choices[1]: \"0\" is":   func(s *scenario.Scenario) { s.Choices[1].ID = "0" },
		"choices[2]: must be":    func(s *scenario.Scenario) { s.Choices[2].Text.EN = s.Choices[2].Text.TR },
		"answer: \"7\"":          func(s *scenario.Scenario) { s.Answer = "7" },
		"likely_wrong: \"7\"":    func(s *scenario.Scenario) { s.LikelyWrong = "7" },
		"likely_wrong: is":       func(s *scenario.Scenario) { s.LikelyWrong = s.Answer },
		"runs: ":                 func(s *scenario.Scenario) { s.Runs = nil },
		"runs[0].spec: strategy": func(s *scenario.Scenario) { s.Runs[0].Spec.Strategy = "exactly-once" },
		"runs[0].spec: faults[0].point": func(s *scenario.Scenario) {
			s.Runs[0].Spec.Faults[0].Point = "worker.lunch"
		},
		"runs[0].spec: then[0].do": func(s *scenario.Scenario) {
			s.Runs[0].Spec.Then = []step.Reaction{{On: step.OnQuiet, Do: "pray"}}
		},
		"runs[0].label: ":           func(s *scenario.Scenario) { s.Runs[0].Label.EN = "" },
		"runs[0].expect: nobody":    func(s *scenario.Scenario) { s.Runs[0].Expect["mood"] = "good" },
		"runs[0].expect: must":      func(s *scenario.Scenario) { s.Runs[0].Expect = nil },
		"measure: the first":        func(s *scenario.Scenario) { s.Runs[0].Expect[scenario.Charges] = "1" },
		"cells: must be there":      func(s *scenario.Scenario) { s.Kind = scenario.StripKind },
		"cells: fault: there is":    cells("seen-set", "crash:lunch"),
		"cells: naive has no crash": cells("naive", "crash:worker.checked"),
	} {
		s := lesson(t)[0]
		spoil(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// cells makes a strip of the scenario.
func cells(strategy, fault string) func(*scenario.Scenario) {
	return func(s *scenario.Scenario) {
		s.Kind, s.Runs, s.Measure = scenario.StripKind, nil, scenario.Nothing
		s.Cells = &scenario.Cells{Strategy: strategy, Faults: []string{fault}}
	}
}

// TestAFileIsReadStrictly: what nobody knows, and what is there twice, is a mistake.
func TestAFileIsReadStrictly(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		`{"nam":"x"}`, `{"name":"x","name":"y"}`, `{"runs":[{"spec":{"fault":[]}}]}`,
		`{"runs":[{"expect":{"charges":1.5}}]}`, `{"runs":[{"expect":{"charges":null}}]}`,
	} {
		if err := scenario.Decode([]byte(bad), &scenario.Scenario{}); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// TestTheAnswersAgreeWithTheCatalogue wherever a run is a cell of the matrix.
func TestTheAnswersAgreeWithTheCatalogue(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, s := range lesson(t) {
		for _, run := range s.Runs {
			if len(run.Spec.Faults) != 1 || len(run.Spec.Then) > 0 {
				continue
			}
			column := string(run.Spec.Faults[0].Point)
			if run.Spec.Faults[0].Action == step.Crash {
				column = "crash:" + column
			}
			expected, known := catalogue.Expected(run.Spec.Strategy, column)
			if got := run.Expect[scenario.Verdict]; !known || got != scenario.Value(expected.Verdict) {
				t.Errorf("%s expects %s, the catalogue %s", s.Name, got, expected.Verdict)
			}
			compared++
		}
	}
	if compared < 9 {
		t.Errorf("only %d runs were compared", compared)
	}
}

// TestTheWindowIsWhereTheStripSays: a crash harms between the charge and the record, and nowhere else.
func TestTheWindowIsWhereTheStripSays(t *testing.T) {
	t.Parallel()
	s, err := scenario.Named("seen-set-window")
	if err != nil {
		t.Fatal(err)
	}
	var harmful []string
	for _, fault := range s.Cells.Faults {
		if expected, _ := catalogue.Expected(s.Cells.Strategy, fault); len(expected.Wrong) > 0 {
			harmful = append(harmful, fault)
		}
	}
	want := []string{"crash:worker.charged", "crash:worker.applied"}
	if diff := cmp.Diff(want, harmful); diff != "" || len(s.Cells.Faults) != 7 || s.Answer != "outside" {
		t.Errorf("the window of the strip: %s", diff)
	}
}

// TestANameThatIsNearIsTold.
func TestANameThatIsNearIsTold(t *testing.T) {
	t.Parallel()
	_, err := scenario.Named("naive-crash")
	if !errors.Is(err, payments.ErrNotFound) || !strings.Contains(err.Error(), "near are naive-crash-after-charge, ") ||
		strings.Contains(err.Error(), "receipt") {
		t.Errorf("got %v", err)
	}
	names := []string{"one", "two"}
	if got := scenario.Near("zzz", names); !slices.Equal(got, names) {
		t.Errorf("nothing is near: %v", got)
	}
}
