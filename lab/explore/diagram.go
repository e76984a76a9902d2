package explore

import (
	"fmt"
	"slices"
	"strings"
)

// Diagram draws a counterexample as text, at most 78 columns wide: each event in the column of whoever it
// happens to.
//
//	broker        worker 1            worker 2            bank
//	deliver ─────▶ received
//	               charge ──────────────────────────────▶ charge 1
//	               ✗ killed
func Diagram(c Counterexample) string {
	two := slices.ContainsFunc(c.Lines, func(l Line) bool { return l.Event.Worker() == 2 })
	columns := []int{0, 15, 57}
	heads := []string{"broker", "worker 1", "bank"}
	if two {
		columns, heads = []int{0, 15, 35, 57}, []string{"broker", "worker 1", "worker 2", "bank"}
	}
	var text strings.Builder
	row := func(cells map[int]string) {
		line := []rune(strings.Repeat(" ", 78))
		for i, at := range columns {
			copy(line[at:], []rune(cells[i]))
		}
		text.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	names := map[int]string{}
	for i, head := range heads {
		names[i] = head
	}
	row(names)
	charges := 0
	for _, line := range c.Lines {
		row(cellsOf(line, len(columns)-1, &charges))
	}
	return text.String()
}

// cellsOf says what stands in which column for one event.
func cellsOf(l Line, bank int, charges *int) map[int]string {
	worker := l.Event.Worker()
	if worker == 0 {
		return map[int]string{0: "· " + string(l.Event)}
	}
	switch verb(l.Event.Verb()) {
	case deliver:
		return map[int]string{0: "deliver ─────▶", worker: "received"}
	case crashes:
		return map[int]string{worker: "✗ killed"}
	case ack:
		return map[int]string{0: "acked ◀───────", worker: "ack"}
	case pay:
		said := "replayed"
		switch {
		case l.Event.How() == never:
			said = ""
		case strings.Contains(l.EN, "(charge ") || strings.Contains(l.EN, ": charge "):
			*charges++
			said = fmt.Sprintf("charge %d", *charges)
		}
		return map[int]string{worker: "charge" + lostMark(l.Event.How()), bank: said}
	default:
		_, what, found := strings.Cut(l.EN, ": ")
		if !found {
			what = l.Event.Verb()
		} else {
			what = l.Event.Verb() + ": " + what
		}
		return map[int]string{worker: what}
	}
}

func lostMark(how string) string {
	switch how {
	case lost:
		return " (answer lost)"
	case never:
		return " (request lost)"
	default:
		return ""
	}
}
