package catalogue

import (
	"slices"
	"strings"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments"
)

// Expectation is what a cell must show.
type Expectation struct {
	Applicable bool
	Verdict    payments.VerdictName
	// Wrong names the effects that are expected to be wrong, in alphabetical order.
	Wrong []string
	// Reason is empty where nothing is wrong.
	Reason Text

	broken []explore.Property
}

// meaning is what a mark of the table stands for.
type meaning struct {
	verdict payments.VerdictName
	wrong   []string
	broken  []explore.Property
}

func meanings() map[string]meaning {
	all := []string{"charge", "points", "receipt", "status"}
	return map[string]meaning{
		"ok": {payments.ChargedOnce, []string{}, nil},
		"2":  {payments.DoubleCharged, []string{"charge"}, []explore.Property{explore.Charge}},
		"2p": {
			payments.DoubleCharged,
			[]string{"charge", "points"},
			[]explore.Property{explore.Charge, explore.Points},
		},
		"p": {payments.ChargedOnce, []string{"points"}, []explore.Property{explore.Points}},
		"0": {payments.NotCharged, all, []explore.Property{explore.Lost}},
		"m": {
			payments.ChargedOnce,
			[]string{"points", "receipt", "status"},
			[]explore.Property{explore.Status, explore.Points, explore.Receipt},
		},
		"r": {payments.ChargedOnce, []string{"receipt"}, []explore.Property{explore.Receipt}},
		"L": {payments.SaleLost, all, []explore.Property{explore.SaleLost}},
	}
}

// Expected is what the table says of a cell. A strategy that is not in the table, such as a reader's
// own, claims to survive everything; ok is then false.
func Expected(strategy, column string) (e Expectation, ok bool) {
	cells, reasons := readTable()
	row, at := cells[strategy], index(column)
	if at < 0 || at >= len(row) {
		return Expectation{Applicable: true, Verdict: payments.ChargedOnce, Wrong: []string{}}, false
	}
	mark, reason, _ := strings.Cut(row[at], ":")
	m, applicable := meanings()[mark]
	return Expectation{applicable, m.verdict, m.wrong, reasons[reason], m.broken}, true
}

// Guarantee is what an adversary breaks of a strategy: whatever is broken in one of its columns. ok is
// false for a strategy that is not in the table.
func Guarantee(strategy string, adversary explore.Adversary) (broken []explore.Property, ok bool) {
	for _, column := range Columns() {
		if !part(column.Adversary, adversary) {
			continue
		}
		e, known := Expected(strategy, column.ID)
		ok = known
		for _, property := range e.broken {
			if !slices.Contains(broken, property) {
				broken = append(broken, property)
			}
		}
	}
	return broken, ok
}

// part says whether what one adversary does belongs to another one.
func part(of, adversary explore.Adversary) bool {
	return of == adversary || (adversary == explore.Combined && of != explore.SecondPurchase)
}

// Mark is the mark that the table has for a verdict with these effects wrong, or "?" for one that the
// table does not know.
func Mark(verdict payments.VerdictName, wrong []string) string {
	for mark, m := range meanings() {
		if m.verdict == verdict && slices.Equal(m.wrong, wrong) {
			return mark
		}
	}
	return "?"
}

// Broken is what an adversary breaks of a strategy; nothing of one that is not in the table, since that
// claims to survive everything.
func Broken(strategy string, adversary explore.Adversary) []explore.Property {
	broken, _ := Guarantee(strategy, adversary)
	return broken
}
