package scenario

import (
	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/matrix"
)

// Decode is how a file is read.
func Decode(data []byte, into any) error { return decode(data, into) }

// Check is what a run is held against.
func (r Run) Check(run lab.Run) []Check { return r.check(0, run) }

// CheckCell is the same for a cell.
func CheckCell(cell matrix.Cell) Check { return checkCell(0, cell) }

// Validate says everything that is wrong with a scenario.
func (s *Scenario) Validate() error {
	chapters, err := Chapters()
	if err != nil {
		return err
	}
	return s.validate(chapters)
}

// Near gives the names that are like the one that was meant.
func Near(meant string, names []string) []string { return near(meant, names) }

// Words are the keys and texts of the terminal.
func Words() (map[string][2]string, error) {
	w, err := wordsIn("en")
	list := map[string][2]string{}
	for key, text := range w.texts {
		list[key] = [2]string{text.EN, text.TR}
	}
	return list, err
}

// RehearsedAs is a step of a rehearsal.
func RehearsedAs(s Scenario, plan string, r Report) Rehearsed { return Rehearsed{s.Plan[plan], r, s} }
