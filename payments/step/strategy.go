package step

// Text is something that people read, in English and Turkish.
type Text struct {
	EN string `json:"en"`
	TR string `json:"tr"`
}

// In is the text in a language: Turkish for tr, otherwise English.
func (t Text) In(language string) string {
	if language == "tr" {
		return t.TR
	}
	return t.EN
}

// StrategyInfo is a strategy as the lab shows it.
type StrategyInfo struct {
	ID      string `json:"id"`
	Title   Text   `json:"title"`
	Summary Text   `json:"summary"`
	// After is told once it has run.
	After Text `json:"after"`
	// Source is its Go file, followed by that of the strategy on which it is built, if there is one.
	Source string `json:"source"`
	// Lines are the lines of Source in which a step is taken, from 1.
	Lines map[Name]int `json:"lines"`
	// Steps are those of a delivery when nothing goes wrong, in their order.
	Steps []Name `json:"steps"`
	// Windows are the stretches in which a crash does harm.
	Windows []Window `json:"windows"`
	// Survives lists the adversaries that break nothing.
	Survives []string `json:"survives"`
	// Cells are its row of the matrix, as it is expected: what becomes of it in every fault that applies.
	Cells []ExpectedCell `json:"cells"`
}

// ExpectedCell is what the table of expectations says of a strategy and a fault of the matrix.
type ExpectedCell struct {
	Fault string `json:"fault"`
	// Adversary is the explorer's, of whose schedules this fault is one.
	Adversary string   `json:"adversary"`
	Title     Text     `json:"title"`
	Verdict   string   `json:"verdict"`
	Wrong     []string `json:"wrong"`
	// Reason says why an effect is wrong; it is empty where none is.
	Reason Text `json:"reason"`
}

// Window is a stretch between two steps in which a crash does harm.
type Window struct {
	From   Name   `json:"from"`
	To     Name   `json:"to"` // "" is the end of the delivery
	Effect string `json:"effect"`
	Harm   Text   `json:"harm"`
}
