package runner

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments/step"
)

// followed is how often the trace of a run is looked at while it goes on.
const followed = 100 * time.Millisecond

// follow shows the trace of a run as it grows, until the function that it gives is called. That one returns when
// nothing more is shown.
func (r *Runner) follow(ctx context.Context, l *lab.Lab, job step.Job) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var run lab.Run
		if json.Unmarshal(job.Document, &run) != nil {
			return // It is shown when it is over.
		}
		tick := time.NewTicker(followed)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			all, err := l.Events(ctx, 0, "") // A run has few, and their ids begin anew when the table is cleared.
			events := sinceReset(all)
			if err != nil || len(events) <= len(run.Events) {
				continue // What cannot be read now is read the next time.
			}
			run.Events = events
			r.show(ctx, job.ID, run)
		}
	}()
	return func() { stop(); <-done }
}

// sinceReset leaves away what was before the table was cleared for the run.
func sinceReset(events []step.Event) []step.Event {
	for i, event := range slices.Backward(events) {
		if event.Step == step.LabReset {
			return events[i:]
		}
	}
	return events[:0]
}
