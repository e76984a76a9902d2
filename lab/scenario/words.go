package scenario

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/doublecharge/payments/step"
)

// words are what the terminal is told, in one language.
type words struct {
	texts    map[string]step.Text
	language string
}

// wordsIn reads the words of a language, en or tr.
func wordsIn(language string) (words, error) {
	w := words{map[string]step.Text{}, language}
	err := read("words.json", &w.texts)
	return w, err
}

func (w words) say(key string) string { return w.texts[key].In(w.language) }

// result says what a check got or expected: a measured value or, for a fault, a mark of the matrix.
func (w words) result(c Check, v Value) string {
	if _, measured := w.texts["measure."+c.Name]; measured {
		return w.value(v)
	}
	if text, known := w.texts["mark."+string(v)]; known {
		return text.In(w.language)
	}
	return string(v) // Why there is no mark.
}

// value says a measured value. Numbers say themselves.
func (w words) value(v Value) string {
	parts := strings.Split(string(v), ", ")
	for i, part := range parts {
		if text, known := w.texts["value."+part]; known {
			parts[i] = text.In(w.language)
		}
	}
	return strings.Join(parts, ", ")
}

// name says what was checked. A fault goes by its id.
func (w words) name(c Check) string {
	if text, known := w.texts["measure."+c.Name]; known {
		return text.In(w.language)
	}
	return c.Name
}

// seconds says a time with one decimal.
func (w words) seconds(millis int64) string {
	point := "."
	if w.language == "tr" {
		point = ","
	}
	tenths := (millis + 50) / 100
	return fmt.Sprintf("%d%s%d", tenths/10, point, tenths%10)
}

// width is how wide the terminal is taken to be.
const width = 80

// paragraph breaks a text into lines, each behind the indent.
func paragraph(indent, text string) string {
	var out strings.Builder
	room := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word) + 1
		if n > room {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(indent + word)
			room = width - utf8.RuneCountInString(indent) - n
			continue
		}
		out.WriteString(" " + word)
		room -= n
	}
	return out.String() + "\n"
}
