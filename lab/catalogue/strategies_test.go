package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

func described(t *testing.T) map[string]step.StrategyInfo {
	t.Helper()
	list, err := catalogue.Strategies()
	if err != nil {
		t.Fatal(err)
	}
	infos, ids := map[string]step.StrategyInfo{}, []string{}
	for _, info := range list {
		infos[info.ID] = info
		ids = append(ids, info.ID)
	}
	if diff := cmp.Diff(strategy.IDs(), ids); diff != "" {
		t.Errorf("the order of the lesson (-want +got):\n%s", diff)
	}
	return infos
}

func TestEveryStrategyHasItsWordsInBothLanguages(t *testing.T) {
	t.Parallel()
	for id, info := range described(t) {
		for what, text := range map[string]step.Text{
			"title": info.Title, "summary": info.Summary, "after": info.After,
		} {
			if text.EN == "" || text.TR == "" || text.EN == id {
				t.Errorf("%s: the %s is %+v", id, what, text)
			}
		}
	}
}

// TestEveryWrongCellSaysWhy, in both languages, and no cell that is right pretends to.
func TestEveryWrongCellSaysWhy(t *testing.T) {
	t.Parallel()
	for id, info := range described(t) {
		if len(info.Cells) == 0 {
			t.Errorf("%s has no cells", id)
		}
		for _, cell := range info.Cells {
			if !slices.Contains(explore.Adversaries(), explore.Adversary(cell.Adversary)) {
				t.Errorf("%s, %s: adversary %q", info.ID, cell.Fault, cell.Adversary)
			}
			said := cell.Reason.EN != "" && cell.Reason.TR != ""
			if cell.Title.EN == "" || cell.Title.TR == "" || said != (len(cell.Wrong) > 0) {
				t.Errorf("%s, %s: %+v", id, cell.Fault, cell)
			}
		}
	}
}

// TestTheLineOfAStepIsTheLineOfItsCall, also where a strategy is built on another one's type.
func TestTheLineOfAStepIsTheLineOfItsCall(t *testing.T) {
	t.Parallel()
	for id, info := range described(t) {
		lines := strings.Split(info.Source, "\n")
		for name, calls := range map[step.Name][]string{
			step.WorkerReceived: {"Handle("}, step.WorkerChecked: {".Seen(", ".Find(", ".Claim("},
			step.WorkerCharging: {".Charge("}, step.WorkerCharged: {".Charge("}, step.WorkerApplied: {".Apply("},
			step.WorkerRecorded: {".Mark(", ".ApplyOnce(", ".Complete("}, step.WorkerAcked: {".Ack("},
		} {
			at, has := info.Lines[name]
			if !has {
				// The loop acks for all but those that ack early.
				if slices.Contains(info.Steps, name) && name != step.WorkerAcked {
					t.Errorf("%s: no line for %s", id, name)
				}
				continue
			}
			line := lines[at-1]
			if !slices.ContainsFunc(calls, func(call string) bool { return strings.Contains(line, call) }) {
				t.Errorf("%s: line %d, of %s, is %q", id, at, name, line)
			}
		}
	}
}

// TestWhatHarmsAndWhatIsSurvivedIsReadFromTheTable knows two strategies.
func TestWhatHarmsAndWhatIsSurvivedIsReadFromTheTable(t *testing.T) {
	t.Parallel()
	infos := described(t)
	safe := infos["seen-set-and-key"]
	want := []string{"crash", "duplicate", "two-workers", "lost-answer", "forgotten-key", "second-purchase", "combined"}
	if diff := cmp.Diff(want, safe.Survives); diff != "" || len(safe.Windows) != 0 {
		t.Errorf("the default has windows %v and survives (-want +got):\n%s", safe.Windows, diff)
	}
	naive := infos["naive"]
	if diff := cmp.Diff([]string{"second-purchase"}, naive.Survives); diff != "" {
		t.Errorf("naive survives (-want +got):\n%s", diff)
	}
	if len(naive.Windows) != 2 || naive.Windows[0].From != step.WorkerCharged ||
		naive.Windows[0].To != step.WorkerApplied || naive.Windows[0].Effect != "charge" ||
		naive.Windows[0].Harm.TR == "" {
		t.Errorf("naive has the windows %+v", naive.Windows)
	}
}
