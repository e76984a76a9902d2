package tell

import (
	"strings"
	"unicode/utf8"

	"example.com/doublecharge/payments"
)

// Width is how many columns a line has at most.
const Width = 80

// wide is the number of columns that a text takes. Every letter of both languages and every sign that is
// drawn here is one rune and takes one column.
func wide(text string) int { return utf8.RuneCountInString(text) }

// fill adds blanks up to a width.
func fill(text string, width int) string { return text + strings.Repeat(" ", max(0, width-wide(text))) }

// Wrap breaks a text into lines, each indented and none wider than [Width]. A word is never cut.
func Wrap(text string, indent int) []string {
	var lines []string
	margin := strings.Repeat(" ", indent)
	line := margin
	for word := range strings.FieldsSeq(text) {
		if line != margin && wide(line)+1+wide(word) > Width {
			lines = append(lines, line)
			line = margin
		}
		if line != margin {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// Tail is the end of an id: UUIDs of version 7 share their beginning. A known prefix is kept: "ch_…9F2C".
func Tail(id string) string {
	prefix, rest, cut := strings.Cut(id, "_")
	if cut && len(prefix) <= 3 {
		prefix += "_"
	} else {
		prefix, rest = "", id
	}
	if len(rest) <= 4 {
		return id
	}
	return prefix + "…" + rest[len(rest)-4:]
}

// Amount is an amount as people read it: ₺420.00 in English, ₺420,00 in Turkish.
func (w Words) Amount(m payments.Money) string {
	symbols := map[payments.Currency]string{
		payments.TRY: "₺", payments.EUR: "€", payments.USD: "$", payments.JPY: "¥", payments.KWD: "KWD ",
	}
	number, _, _ := strings.Cut(m.String(), " ")
	if w.lang == "tr" {
		number = strings.Replace(number, ".", ",", 1)
	}
	return symbols[m.Currency] + number
}
