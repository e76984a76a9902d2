package tell_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab/tell"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

//nolint:gochecknoglobals // The testing package parses flags before the tests.
var update = flag.Bool("update", false, "write the expected texts anew")

// recorded is a run as a lab exported it.
type recorded struct {
	Strategy  string
	Verdicts  []payments.Verdict
	Statement payments.Statement
	Events    []step.Event
}

func read(t *testing.T, name string) recorded {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var run recorded
	if err := json.Unmarshal(data, &run); err != nil {
		t.Fatal(err)
	}
	return run
}

func words(t *testing.T, lang string) tell.Words {
	t.Helper()
	w, err := tell.WordsIn(lang)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// told is a whole run as text.
func told(w tell.Words, p tell.Paint, run recorded) string {
	story := tell.Story{}
	diagram := tell.Diagram{Words: w, Paint: p}
	lines := diagram.Head()
	for _, event := range run.Events {
		if row, ok := story.Read(event); ok {
			lines = append(lines, diagram.Row(row))
		}
	}
	amount := payments.Money{Minor: 42000, Currency: payments.TRY}
	lines = append(append(lines, ""), tell.Verdict(w, p, run.Verdicts[0], amount)...)
	lines = append(append(lines, ""), tell.Books(w, p, run.Statement)...)
	why := w.T(tell.Why(run.Verdicts[0], run.Strategy))
	lines = append(append(lines, ""), tell.Wrap(why, 0)...)
	return strings.Join(lines, "\n") + "\n"
}

// runs are the recorded ones.
func runs() []string {
	return []string{
		"naive", "ack-first", "seen-set", "key-forgotten", "seen-set-and-key", "relay-crash", "points-twice",
		"two-workers", "lookup-first",
	}
}

// TestRunsAreToldAsTheyWere, in both languages, from what real processes did.
func TestRunsAreToldAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, name := range runs() {
		for _, lang := range []string{"en", "tr"} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				t.Parallel()
				got := told(words(t, lang), tell.Paint{}, read(t, name))
				golden := filepath.Join("testdata", name+"."+lang+".txt")
				if *update {
					if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("not as expected (-want +got):\n%s", diff)
				}
				for line := range strings.Lines(got) {
					if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > tell.Width {
						t.Errorf("%d columns: %s", n, line)
					}
				}
			})
		}
	}
}
