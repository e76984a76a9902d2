package runner_test

import (
	"testing"

	"example.com/doublecharge/lab/runner"
	"example.com/doublecharge/payments/step"
)

// TestOnlyWhatCameAfterTheResetIsShown: before it, the lane's processes started, and the ids were others.
func TestOnlyWhatCameAfterTheResetIsShown(t *testing.T) {
	t.Parallel()
	started, reset := step.Event{ID: 3, Step: step.ProcessStarted}, step.Event{ID: 4, Step: step.LabReset}
	for _, test := range []struct {
		all  []step.Event
		want int
	}{
		{nil, 0},
		{[]step.Event{started, started}, 0},
		{[]step.Event{started, reset, started}, 2},
		{[]step.Event{reset, started, reset}, 1},
	} {
		shown := runner.SinceReset(test.all)
		if len(shown) != test.want || test.want > 0 && shown[0].Step != step.LabReset {
			t.Errorf("of %v it shows %v", test.all, shown)
		}
	}
}
