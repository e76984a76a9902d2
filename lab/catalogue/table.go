package catalogue

import (
	_ "embed" // for the table
	"strings"
)

//go:embed expected.txt
var expectedText string

// cells are the marks of each strategy, in the order of the columns, and reasons the words behind them.
// The file is small, and read whenever it is asked.
func readTable() (cells map[string][]string, reasons map[string]Text) {
	cells, reasons = map[string][]string{}, map[string]Text{}
	reason := ""
	for line := range strings.Lines(expectedText) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#" || fields[0] == "strategy":
		case len(fields) == 1:
			reason = fields[0]
		case !strings.HasPrefix(line, " "):
			cells[fields[0]] = fields[1:]
		default:
			text := reasons[reason]
			if words := strings.Join(fields[1:], " "); fields[0] == "en" {
				text.EN = words
			} else {
				text.TR = words
			}
			reasons[reason] = text
		}
	}
	return cells, reasons
}

// LetterTwice says why a crash of the mailer may send a receipt twice.
func LetterTwice() Text {
	_, reasons := readTable()
	return reasons["letter"]
}
