package tell

import "strings"

// Tone is what a colour means. Every tone has a sign or a word beside it, so that nothing is told by colour alone.
type Tone int

// The tones.
const (
	Plain  Tone = iota
	Faint       // what stays as it is
	Strong      // a heading
	Bad         // money wrong, or a kill
	Good        // all as it should be
	Warn        // again, waiting, lost
	Unsure      // charged or not: unknown
	Stored      // the bank's stored answer
)

// Paint colours texts, or leaves them as they are.
type Paint struct{ Colour bool }

// In gives the text its tone.
func (p Paint) In(tone Tone, text string) string {
	code := map[Tone]string{
		Faint: "90", Strong: "1", Bad: "31", Good: "32", Warn: "33", Unsure: "35", Stored: "36",
	}[tone]
	if !p.Colour || code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// cell is one column of a line.
type cell struct {
	sign rune
	tone Tone
}

// line paints cells, and leaves blanks at the end away.
func (p Paint) line(cells []cell) string {
	end := len(cells)
	for end > 0 && cells[end-1].sign == ' ' {
		end--
	}
	var text strings.Builder
	for from := 0; from < end; {
		to := from
		var run []rune
		for to < end && cells[to].tone == cells[from].tone {
			run = append(run, cells[to].sign)
			to++
		}
		text.WriteString(p.In(cells[from].tone, string(run)))
		from = to
	}
	return text.String()
}
