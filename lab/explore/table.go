package explore

import (
	"fmt"
	"io"
	"strings"
)

// WriteTable writes the report for a terminal: a line for each strategy and, if asked, its shortest
// counterexamples.
func WriteTable(out io.Writer, r Report, examples bool) error {
	var text strings.Builder
	for _, s := range r.Strategies {
		fmt.Fprintf(&text, "%-17s %s\n", s.Strategy, verdict(s))
	}
	if examples {
		for _, s := range r.Strategies {
			writeExamples(&text, s)
		}
	}
	fmt.Fprintf(&text, "\nWithin %d crashes, %d deliveries of a message, %d workers, and as long as\n",
		r.Bounds.Crashes, r.Bounds.Deliveries, r.Bounds.Workers)
	for _, assumption := range r.Assumptions {
		fmt.Fprintf(&text, "  · %s\n", assumption.EN)
	}
	if !examples {
		text.WriteString("\nThe shortest counterexamples: doublecharge explore --strategy ID\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// verdict is a strategy's line: safe, or what each adversary breaks.
func verdict(s StrategyReport) string {
	line := fmt.Sprintf("safe: %d schedules, %d states", s.Schedules, s.States)
	if !s.Safe {
		line = "breaks: " + breaks(s)
	}
	if !s.AsExpected {
		line += "   NOT AS ITS GUARANTEES SAY"
		if len(s.Missing) > 0 {
			line += " (not found: " + strings.Join(s.Missing, ", ") + ")"
		}
	}
	return line
}

// breaks lists what each adversary breaks, but for the combined one, which breaks what the others do.
func breaks(s StrategyReport) string {
	var parts []string
	for _, a := range Adversaries() {
		var properties []string
		for _, v := range s.Violations {
			if v.Adversary == a && (a != Combined || !v.Expected) {
				properties = append(properties, string(v.Property))
			}
		}
		if len(properties) > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", a, strings.Join(properties, ", ")))
		}
	}
	return strings.Join(parts, ", ")
}

// writeExamples tells the shortest counterexample of each adversary.
func writeExamples(text *strings.Builder, s StrategyReport) {
	for _, v := range s.Violations {
		if v.Adversary == Combined && v.Expected {
			continue
		}
		fmt.Fprintf(text, "\n%s · %s breaks %s\n  %s\n\n", s.Strategy, v.Adversary, v.Property, v.Schedule)
		for i, line := range v.Lines {
			fmt.Fprintf(text, "  %2d  %s\n", i+1, line.EN)
		}
		text.WriteString("\n")
		for row := range strings.Lines(Diagram(v)) {
			text.WriteString("      " + row)
		}
	}
}
