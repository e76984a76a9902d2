// Package catalogue is the one place that says what each strategy is, what breaks it, and why: the words
// in both languages, the steps, the source, and the table of what is expected. The lab, the matrix, the
// explorer, the page and the docs read it, and so cannot disagree.
package catalogue

// Text is something that people read, in English and Turkish.
type Text struct {
	EN string `json:"en"`
	TR string `json:"tr"`
}
