package catalogue_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/worker/strategy"
)

// TestTheExplorerFindsExactlyWhatTheTableSays: the guarantees are derived from the table of what the matrix
// must show on real processes, and the explorer searches without knowing of it.
func TestTheExplorerFindsExactlyWhatTheTableSays(t *testing.T) {
	t.Parallel()
	for _, id := range strategy.IDs() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			result, err := explore.Explore(t.Context(), id, explore.DefaultBounds())
			if err != nil {
				t.Fatal(err)
			}
			for _, search := range result.Searches {
				var found []explore.Property
				for _, v := range search.Violations {
					found = append(found, v.Property)
				}
				want, known := catalogue.Guarantee(id, search.Adversary)
				sorted := cmpopts.SortSlices(func(a, b explore.Property) bool { return a < b })
				if diff := cmp.Diff(want, found, sorted, cmpopts.EquateEmpty()); diff != "" || !known {
					t.Errorf("%s (-table +explorer):\n%s", search.Adversary, diff)
				}
			}
		})
	}
}

// TestACellAppliesWhereTheStrategyHasTheStep: the dashes of the table are what the steps say.
func TestACellAppliesWhereTheStrategyHasTheStep(t *testing.T) {
	t.Parallel()
	for _, id := range strategy.IDs() {
		maker, _ := explore.MakerOf(id)
		profile := explore.ProfileOf(maker)
		for _, column := range catalogue.Columns() {
			applies := profile.Applies(column.Adversary)
			if step, isCrash := cutCrash(column.ID); isCrash {
				applies = slices.Contains(profile.Steps, step)
			}
			expected, known := catalogue.Expected(id, column.ID)
			if !known || expected.Applicable != applies {
				t.Errorf("%s, %s: known %t, applicable %t, by its steps %t", id, column.ID, known,
					expected.Applicable, applies)
			}
		}
	}
}

func cutCrash(column string) (step string, ok bool) {
	const prefix = "crash:"
	if len(column) < len(prefix) || column[:len(prefix)] != prefix {
		return "", false
	}
	return column[len(prefix):], true
}

// TestEveryRedCellHasItsReasonInBothLanguages, and no other cell has one.
func TestEveryRedCellHasItsReasonInBothLanguages(t *testing.T) {
	t.Parallel()
	red := 0
	for _, id := range strategy.IDs() {
		for _, column := range catalogue.ColumnIDs() {
			expected, _ := catalogue.Expected(id, column)
			isRed := len(expected.Wrong) > 0
			if isRed {
				red++
			}
			if said := expected.Reason.EN != "" && expected.Reason.TR != ""; said != isRed {
				t.Errorf("%s, %s: red %t, with a reason in both languages %t", id, column, isRed, said)
			}
			if isRed && expected.Reason.EN == expected.Reason.TR {
				t.Errorf("%s, %s: the same in both languages", id, column)
			}
		}
	}
	if red < 50 {
		t.Errorf("only %d red cells were read", red)
	}
}

// TestAReadersOwnStrategyClaimsToSurviveEverything: it has no line in the table.
func TestAReadersOwnStrategyClaimsToSurviveEverything(t *testing.T) {
	t.Parallel()
	expected, known := catalogue.Expected("my-idea", "crash:worker.charged")
	if known || !expected.Applicable || expected.Verdict != "charged-once" || len(expected.Wrong) > 0 {
		t.Errorf("known %t, %+v", known, expected)
	}
	if broken := catalogue.Broken("my-idea", explore.Crash); len(broken) > 0 {
		t.Errorf("it is expected to break %v", broken)
	}
	if e, known := catalogue.Expected("naive", "crash:lunch"); known || !e.Applicable {
		t.Errorf("a column that is not there is known: %+v", e)
	}
}
