package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/payments/step"
)

// validate says everything that is wrong with a scenario.
func (s *Scenario) validate(chapters []Chapter) error {
	wrong := []error{s.validateWords(), s.validateChoices()}
	if !slices.ContainsFunc(chapters, func(c Chapter) bool { return c.ID == s.Chapter }) {
		wrong = append(wrong, fmt.Errorf("chapter: there is no %q", s.Chapter))
	}
	for id, place := range s.Plan {
		if place.Step < 1 || place.Minute < 0 {
			wrong = append(wrong, fmt.Errorf("plan.%s: a step from 1 and a minute from 0, not %+v", id, place))
		}
	}
	switch s.Kind {
	case RunKind, StepKind:
		wrong = append(wrong, s.validateRuns())
	case StripKind, MatrixKind:
		wrong = append(wrong, s.validateCells())
	case QuestionKind:
		if len(s.Runs) > 0 || s.Cells != nil || s.Measure != Nothing {
			wrong = append(wrong, errors.New("kind: a question runs and measures nothing"))
		}
	default:
		wrong = append(wrong, fmt.Errorf("kind: there is no %q", s.Kind))
	}
	return errors.Join(wrong...)
}

// validateWords wants every text in both languages, and no text that was not translated.
func (s *Scenario) validateWords() error {
	var wrong []error
	for field, text := range map[string]step.Text{
		"title": s.Title, "goal": s.Goal, "question": s.Question, "say": s.Say, "see": s.See, "why": s.Why,
	} {
		if text.EN == "" || text.TR == "" || text.EN == text.TR {
			wrong = append(wrong, fmt.Errorf("%s: must be said in English and in Turkish", field))
		}
	}
	if s.Source == "" {
		wrong = append(wrong, errors.New("source: must be named"))
	}
	return errors.Join(wrong...)
}

func (s *Scenario) validateChoices() error {
	if s.Kind == MatrixKind { // Its choices are the marks of the cells.
		return nil
	}
	var wrong []error
	var ids []string
	for i, choice := range s.Choices {
		if slices.Contains(ids, choice.ID) {
			wrong = append(wrong, fmt.Errorf("choices[%d]: %q is there twice", i, choice.ID))
		}
		if choice.Text.EN == "" || choice.Text.TR == "" || choice.Text.EN == choice.Text.TR {
			wrong = append(wrong, fmt.Errorf("choices[%d]: must be said in English and in Turkish", i))
		}
		ids = append(ids, choice.ID)
	}
	for field, id := range map[string]string{"answer": s.Answer, "likely_wrong": s.LikelyWrong} {
		if !slices.Contains(ids, id) {
			wrong = append(wrong, fmt.Errorf("%s: %q is none of %s", field, id, strings.Join(ids, ", ")))
		}
	}
	if s.Answer == s.LikelyWrong {
		wrong = append(wrong, errors.New("likely_wrong: is the answer"))
	}
	return errors.Join(wrong...)
}

// validateRuns wants runs that the lab takes, and an answer that the first of them measures.
func (s *Scenario) validateRuns() error {
	var wrong []error
	if len(s.Runs) < 1 || len(s.Runs) > 2 || s.Cells != nil {
		wrong = append(wrong, errors.New("runs: must be one or two, and no cells"))
	}
	for i, run := range s.Runs {
		if err := run.validate(); err != nil {
			wrong = append(wrong, fmt.Errorf("runs[%d].%w", i, err))
		}
	}
	if s.Measure != Nothing && (len(s.Runs) == 0 || string(s.Runs[0].Expect[s.Measure]) != s.Answer) {
		wrong = append(wrong, fmt.Errorf("measure: the first run must expect %q of %q", s.Answer, s.Measure))
	}
	return errors.Join(wrong...)
}

// validate names the first thing that is wrong.
func (r Run) validate() error {
	// Which bank there is makes no difference here: lanes are charged at the emulator.
	if _, err := new(lab.Lab).CheckRun(r.Spec); err != nil {
		return fmt.Errorf("spec: %w", err)
	}
	if r.Label.EN == "" || r.Label.TR == "" {
		return errors.New("label: must be said in English and in Turkish")
	}
	if len(r.Expect) == 0 {
		return errors.New("expect: must name what is measured")
	}
	for measure := range r.Expect {
		if !slices.Contains(Measures(), measure) {
			return fmt.Errorf("expect: nobody measures %q", measure)
		}
	}
	return nil
}

// validateCells wants cells that are in the matrix.
func (s *Scenario) validateCells() error {
	if s.Cells == nil || len(s.Runs) > 0 || s.Measure != Nothing {
		return errors.New("cells: must be there, without runs and measure")
	}
	cells, err := matrix.Plan(s.Cells.spec())
	if err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	for _, cell := range cells {
		if cell.State == matrix.NotApplicable && s.Kind == StripKind {
			return fmt.Errorf("cells: %s has no %s", s.Cells.Strategy, cell.Fault)
		}
	}
	return nil
}

// spec asks for the cells.
func (c *Cells) spec() step.MatrixSpec {
	return step.MatrixSpec{Strategies: []string{c.Strategy}, Faults: c.Faults}
}
