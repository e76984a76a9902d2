package scenario

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// WriteTable writes a rehearsal: a line for each step, below it what differs, and the time it all took.
func WriteTable(out io.Writer, r Rehearsal, language string) error {
	w, err := wordsIn(language)
	if err != nil {
		return err
	}
	const line = "%4s %3s  %-28s %-18s %-11s %s %5s\n"
	var text strings.Builder
	fmt.Fprintf(&text, line, w.say("head.step"), w.say("head.minute"), w.say("head.scenario"),
		w.say("head.expected"), w.say("head.measured"), " ", w.say("head.seconds"))
	for _, s := range r.Steps {
		mark := "✓"
		if !s.OK {
			mark = "✗"
		}
		expected, measured := w.summary(s)
		fmt.Fprintf(&text, line, fmt.Sprint(s.Step), fmt.Sprint(s.Minute), s.Scenario, expected, measured, mark,
			w.seconds(s.Millis))
		w.writeDifferences(&text, s)
	}
	end := w.say("as-expected")
	if !r.OK {
		end = w.say("differs")
	}
	fmt.Fprintf(&text, "\n%s %s %s %s.\n", end, w.seconds(r.Millis), w.say("head.seconds"), w.say("total"))
	_, err = io.WriteString(out, text.String())
	return err
}

// summary is the one thing of a step that the question is about.
func (w words) summary(s Rehearsed) (expected, measured string) {
	if s.scenario.Kind == QuestionKind {
		return w.say("nothing"), "–"
	}
	if s.scenario.Cells != nil {
		right := len(s.Checks) - len(Differences(s.Checks))
		return fmt.Sprintf("%d %s", len(s.Checks), w.say("cells")), fmt.Sprintf("%d %s", right, w.say("cells"))
	}
	about := s.scenario.Measure
	if about == Nothing {
		about = Charges
	}
	var wanted, got []string
	for _, run := range s.scenario.Runs {
		wanted = append(wanted, w.value(run.Expect[about]))
	}
	for _, c := range s.Checks {
		if c.Name == string(about) {
			got = append(got, w.value(c.Got))
		}
	}
	name := w.say("measure." + string(about))
	return name + " " + strings.Join(wanted, ", "), cmp.Or(strings.Join(got, ", "), "–")
}

// writeDifferences names each check that differs, and why a step could not be played.
func (w words) writeDifferences(text *strings.Builder, s Rehearsed) {
	indent := strings.Repeat(" ", 10)
	for _, c := range Differences(s.Checks) {
		text.WriteString(paragraph(indent, fmt.Sprintf("✗ %s %d, %s: %s (%s: %s)", w.say("run"), c.Run+1, w.name(c),
			w.result(c, c.Got), w.say("expected"), w.result(c, c.Expected))))
	}
	if s.Error != "" {
		text.WriteString(paragraph(indent, "✗ "+s.Error))
	}
}
