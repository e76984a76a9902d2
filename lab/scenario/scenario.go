package scenario

import "example.com/doublecharge/payments/step"

// Scenario is one question of a lesson, in both languages, with what proves its answer.
type Scenario struct {
	Name    string `json:"name"`
	Chapter string `json:"chapter"`
	// Plan says where it stands in a lesson's plan, by the plan's id.
	Plan     map[string]Place `json:"plan"`
	Kind     Kind             `json:"kind"`
	Title    step.Text        `json:"title"`
	Goal     step.Text        `json:"goal"`
	Question step.Text        `json:"question"`
	Choices  []Choice         `json:"choices"`
	// Answer and LikelyWrong are ids of choices, and Say is said to who chose the latter.
	Answer      string    `json:"answer"`
	LikelyWrong string    `json:"likely_wrong"`
	Say         step.Text `json:"say"`
	See         step.Text `json:"see"`
	Why         step.Text `json:"why"`
	// Source is where the idea comes from: a page, or a thread of a public repository.
	Source string `json:"source"`
	Runs   []Run  `json:"runs"`
	// Cells are checked instead of runs; what to expect of them is in the catalogue.
	Cells *Cells `json:"cells,omitempty"`
	// Measure names what of the first run is the answer.
	Measure Measure `json:"measure"`
}

// Kind says what there is to do.
type Kind string

// The kinds. A step is a run in which the page lets the class take each step by itself.
const (
	RunKind      Kind = "run"
	StepKind     Kind = "step"
	StripKind    Kind = "strip"  // a crash at each step of one strategy
	MatrixKind   Kind = "matrix" // a strategy's row of the matrix
	QuestionKind Kind = "question"
)

// Place is where a scenario stands in a plan.
type Place struct {
	Step   int `json:"step"`
	Minute int `json:"minute"`
	// Short scenarios alone are a complete lesson, where time was lost.
	Short bool `json:"short,omitempty"`
}

// Choice is one possible answer.
type Choice struct {
	ID   string    `json:"id"`
	Text step.Text `json:"text"`
}

// Run is one experiment, and what must be measured after it. What is not named is not checked.
type Run struct {
	Label  step.Text         `json:"label"`
	Spec   step.RunSpec      `json:"spec"`
	Expect map[Measure]Value `json:"expect"`
}

// Cells are cells of one strategy's row in the matrix; no faults means all.
type Cells struct {
	Strategy string   `json:"strategy"`
	Faults   []string `json:"faults"`
}

// Strategy is the one that is played first; "" where none is.
func (s Scenario) Strategy() string {
	switch {
	case len(s.Runs) > 0:
		return s.Runs[0].Spec.Strategy
	case s.Cells != nil:
		return s.Cells.Strategy
	default:
		return ""
	}
}
