package explore_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab/explore"
)

var update = flag.Bool("update", false, "write the golden files anew")

// known are the counterexamples that a person would write by hand, one for each adversary.
var known = []struct {
	adversary explore.Adversary
	strategy  string
	property  explore.Property
	schedule  string
}{
	{explore.Crash, "naive", explore.Charge, "w1:deliver w1:charge w1:crash w1:deliver w1:charge"},
	{
		explore.Duplicate, "naive", explore.Charge,
		"w1:deliver w1:charge w1:apply w1:ack duplicate w1:deliver w1:charge",
	},
	{
		explore.TwoWorkers, "seen-set", explore.Charge,
		"w1:deliver w1:look w1:charge duplicate w2:deliver w2:look w2:charge",
	},
	{
		explore.LostAnswer, "seen-set", explore.Charge,
		"w1:deliver w1:look w1:charge=lost w1:deliver w1:look w1:charge",
	},
	{explore.ForgottenKey, "key-only", explore.Charge, "w1:deliver w1:charge=lost forget w1:deliver w1:charge"},
	{
		explore.LeaseEnd, "claim-lease", explore.Charge,
		"w1:deliver w1:claim w1:charge duplicate w2:deliver lease-end w2:claim w2:charge",
	},
	{
		explore.LostRedis, "redis-seen-set", explore.Charge,
		"w1:deliver w1:look w1:charge w1:apply w1:mark w1:ack flush duplicate w1:deliver w1:look w1:charge",
	},
	{
		explore.SecondPurchase, "payload-key", explore.SaleLost,
		"buy w1:deliver w1:look w1:charge w1:record w1:ack w1:deliver w1:look w1:ack",
	},
	{explore.Crash, "mark-first", explore.Lost, "w1:deliver w1:mark w1:crash w1:deliver w1:mark w1:ack"},
}

// TestTheShortestCounterexampleIsTheOneThatAPersonWouldWrite compares schedule, words and drawing.
func TestTheShortestCounterexampleIsTheOneThatAPersonWouldWrite(t *testing.T) {
	t.Parallel()
	for _, c := range known {
		t.Run(string(c.adversary)+" "+c.strategy, func(t *testing.T) {
			t.Parallel()
			v := counterexample(t, c.strategy, c.adversary, c.property)
			if v.Schedule != c.schedule {
				t.Errorf("got  %s\nwant %s", v.Schedule, c.schedule)
			}
			var text strings.Builder
			for _, line := range v.Lines {
				text.WriteString(line.EN + "\n" + line.TR + "\n")
			}
			text.WriteString("\n" + explore.Diagram(v))
			golden(t, string(c.adversary)+"-"+c.strategy, text.String())
		})
	}
}

func counterexample(
	t *testing.T, id string, a explore.Adversary, p explore.Property,
) explore.Counterexample {
	t.Helper()
	result, err := explore.Explore(t.Context(), id, explore.DefaultBounds())
	if err != nil {
		t.Fatal(err)
	}
	maker, _ := explore.MakerOf(id)
	report, err := explore.Describe(result, maker, nothing)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Violations {
		if v.Adversary == a && v.Property == p {
			return v
		}
	}
	t.Fatalf("%s does not break %s of %s", a, p, id)
	return explore.Counterexample{}
}

// nothing is the guarantee of a strategy that claims to survive everything.
func nothing(string, explore.Adversary) []explore.Property { return nil }

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
