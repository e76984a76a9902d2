package scenario

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteList lists the scenarios: where each stands in a plan, its strategy and, below, its question.
func WriteList(out io.Writer, scenarios []Scenario, language string) error {
	w, err := wordsIn(language)
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%-6s %3s  %-28s  %s\n", w.say("head.step"), w.say("head.minute"), w.say("head.scenario"),
		w.say("head.strategy"))
	for _, s := range scenarios {
		at, minute := "", ""
		for _, plan := range slices.Sorted(maps.Keys(s.Plan)) {
			at, minute = fmt.Sprintf("%s/%d", plan, s.Plan[plan].Step), fmt.Sprint(s.Plan[plan].Minute)
		}
		fmt.Fprintf(&text, "\n%-6s %3s  %-28s  %s\n", at, minute, s.Name, orDash(s.Strategy()))
		text.WriteString(paragraph(strings.Repeat(" ", 12), s.Question.In(language)))
	}
	_, err = io.WriteString(out, text.String())
	return err
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// WriteReport tells one scenario: question, answer, and every check.
func WriteReport(out io.Writer, s Scenario, r Report, language string) error {
	w, err := wordsIn(language)
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n%s", s.Title.In(language), paragraph("", s.Question.In(language)))
	w.writeChoices(&text, s)
	w.writeChecks(&text, s, r.Checks)
	for _, told := range []struct{ key, text string }{
		{"say", s.Say.In(language)}, {"see", s.See.In(language)}, {"why", s.Why.In(language)},
	} {
		text.WriteString("\n" + paragraph("", w.say(told.key)+": "+told.text))
	}
	end := w.say("as-expected")
	if !r.OK {
		end = w.say("differs")
	}
	if len(r.Checks) > 0 {
		fmt.Fprintf(&text, "\n%s\n", end)
	}
	_, err = io.WriteString(out, text.String())
	return err
}

func (w words) writeChoices(text *strings.Builder, s Scenario) {
	for i, choice := range s.Choices {
		if i == 0 {
			text.WriteByte('\n')
		}
		mark, note := " ", ""
		switch choice.ID {
		case s.Answer:
			mark, note = "●", "   ("+w.say("answer")+")"
		case s.LikelyWrong:
			note = "   (" + w.say("likely") + ")"
		}
		fmt.Fprintf(text, "  %s %s%s\n", mark, choice.Text.In(w.language), note)
	}
}

func (w words) writeChecks(text *strings.Builder, s Scenario, checks []Check) {
	last := -1
	for _, c := range checks {
		label := ""
		switch {
		case c.Run != last && c.Run < len(s.Runs):
			label = s.Runs[c.Run].Label.In(w.language)
		case last < 0:
			label = s.Strategy()
		}
		if last = c.Run; label != "" {
			fmt.Fprintf(text, "\n  %-28s %-22s %s\n", label, w.say("head.measured"), w.say("head.expected"))
		}
		mark := "✓"
		if !c.OK {
			mark = "✗"
		}
		fmt.Fprintf(text, "    %s %-24s %-22s %s\n", mark, w.name(c), w.result(c, c.Got), w.result(c, c.Expected))
	}
}
