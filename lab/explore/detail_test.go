package explore_test

import (
	"slices"
	"testing"

	"example.com/doublecharge/lab/explore"
)

func TestAStoryIsToldToItsEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, strategy string
		adversary      explore.Adversary
		outcomes       []string // of the charges, the rest included
		ended          string
		want           explore.Outcome
	}{
		{
			"the bank is not asked by the same key", "naive", explore.Crash,
			[]string{"charged", "charged"},
			"",
			explore.Outcome{Charges: 2, Status: "paid", Points: 1, Receipts: 1},
		},
		{
			"a lost answer is tried again", "seen-set", explore.LostAnswer,
			[]string{"charged", "charged"},
			"retry",
			explore.Outcome{Charges: 2, Status: "paid", Points: 1, Receipts: 1},
		},
		{
			"the other worker goes on too", "seen-set", explore.TwoWorkers,
			[]string{"charged", "charged"},
			"",
			explore.Outcome{Charges: 2, Status: "paid", Points: 2, Receipts: 1},
		},
		{
			"a key that the bank remembers", "key-only", explore.Crash,
			[]string{"charged", "replayed"},
			"",
			explore.Outcome{Charges: 1, Status: "paid", Points: 2, Receipts: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := firstOf(t, c.strategy, c.adversary)
			var outcomes []string
			ended := ""
			for _, line := range slices.Concat(v.Lines, v.Rest) {
				if line.Event.Verb() == "charge" {
					outcomes = append(outcomes, line.Outcome)
				}
				ended += line.Ended
				if line.Order != 1 {
					t.Errorf("%s is about order %d", line.Event, line.Order)
				}
			}
			if !slices.Equal(outcomes, c.outcomes) || ended != c.ended {
				t.Errorf("charges %v, ended %q; want %v, %q", outcomes, ended, c.outcomes, c.ended)
			}
			if !slices.Equal(v.Outcomes, []explore.Outcome{c.want}) {
				t.Errorf("left %+v, want %+v", v.Outcomes, c.want)
			}
		})
	}
}

// firstOf is the first counterexample of an adversary.
func firstOf(t *testing.T, id string, a explore.Adversary) explore.Counterexample {
	t.Helper()
	result, err := explore.Explore(t.Context(), id, explore.DefaultBounds())
	if err != nil {
		t.Fatal(err)
	}
	maker, _ := explore.MakerOf(id)
	report, err := explore.Describe(result, maker, func(string, explore.Adversary) []explore.Property { return nil })
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(report.Violations, func(v explore.Counterexample) bool { return v.Adversary == a })
	if at < 0 {
		t.Fatalf("nothing breaks %s by %s", id, a)
	}
	return report.Violations[at]
}
