package explore_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/strategy"
)

// TestTheDefaultAndTheHybridSurviveEverySchedule within wider bounds than the command's.
func TestTheDefaultAndTheHybridSurviveEverySchedule(t *testing.T) {
	t.Parallel()
	bounds := explore.Bounds{Crashes: 3, Deliveries: 4, Workers: 2}
	for _, id := range []string{"seen-set-and-key", "hybrid"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			result, err := explore.Explore(t.Context(), id, bounds)
			if err != nil {
				t.Fatal(err)
			}
			if !result.Safe() {
				t.Errorf("it is broken: %+v", result)
			}
			for _, search := range result.Searches {
				if search.Schedules == 0 || search.States < 10 {
					t.Errorf("%s looked at %d schedules and %d states", search.Adversary, search.Schedules,
						search.States)
				}
			}
		})
	}
}

// TestTheSameSearchFindsTheSame: whoever reads of a counterexample finds it again.
func TestTheSameSearchFindsTheSame(t *testing.T) {
	t.Parallel()
	find := func() string {
		report, err := explore.All(t.Context(), []string{"naive", "claim-lease", "timestamp-key"},
			explore.DefaultBounds(), nothing, func(int, string) {})
		if err != nil {
			t.Fatal(err)
		}
		for i := range report.Strategies {
			report.Strategies[i].Millis = 0
		}
		text, err := json.Marshal(report.Strategies)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if diff := cmp.Diff(find(), find()); diff != "" {
		t.Error(diff)
	}
}

func TestAScheduleIsItsText(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, id := range strategy.IDs() {
		maker, _ := explore.MakerOf(id)
		for range 20 {
			schedule, outcomes, err := explore.Random(rng, maker, explore.DefaultBounds())
			if err != nil {
				t.Fatal(err)
			}
			read, err := explore.ParseSchedule(schedule.String())
			if err != nil || read.String() != schedule.String() {
				t.Fatalf("%q is read as %q, %v", schedule, read, err)
			}
			again, err := explore.Outcomes(maker, read)
			if diff := cmp.Diff(outcomes, again); err != nil || diff != "" {
				t.Errorf("%s %q: %v %s", id, schedule, err, diff)
			}
		}
	}
}

func TestWhatIsNoScheduleIsNamed(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"w3:deliver", "w1:explode", "w1:look=lost", "w1:charge=maybe", "w1", "now", "w1:"} {
		_, err := explore.ParseSchedule("w1:deliver " + token)
		if err == nil || !strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", token, err)
		}
	}
	maker, _ := explore.MakerOf("naive")
	for _, text := range []string{
		"w1:charge", "w1:deliver w1:look", "w1:deliver w2:deliver", "forget", "w1:deliver w1:ack",
	} {
		schedule, err := explore.ParseSchedule(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := explore.Outcomes(maker, schedule); err == nil || !strings.Contains(err.Error(), "cannot happen") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAStrategyThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	_, err := explore.Explore(t.Context(), "exactly-once", explore.DefaultBounds())
	if !errors.Is(err, payments.ErrInvalid) || !strings.Contains(err.Error(), "exactly-once") {
		t.Errorf("got %v", err)
	}
}

// TestAProfileIsWhatAStrategyDoes knows a strategy of each kind.
func TestAProfileIsWhatAStrategyDoes(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]explore.Profile{
		"ack-first": {Steps: []string{
			"worker.received", "worker.acked", "worker.charging", "worker.charged", "worker.applied",
		}},
		"claim-lease": {Claims: true, Steps: []string{
			"worker.received", "worker.checked", "worker.charging", "worker.charged", "worker.recorded", "worker.acked",
		}},
		"hybrid": {Keyed: true, Redis: true, Steps: []string{
			"worker.received", "worker.checked", "worker.charging", "worker.charged", "worker.recorded", "worker.acked",
		}},
		"timestamp-key": {Keyed: true, Clock: true, Steps: []string{
			"worker.received", "worker.checked", "worker.charging", "worker.charged", "worker.recorded", "worker.acked",
		}},
	} {
		maker, _ := explore.MakerOf(id)
		if diff := cmp.Diff(want, explore.ProfileOf(maker)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}
