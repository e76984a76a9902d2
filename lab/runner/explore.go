package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// exploreDocument is what is shown of a search while it runs and afterwards.
type exploreDocument struct {
	ID    string `json:"id"`
	State string `json:"state"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	explore.Report
}

// explore searches.
func (r *Runner) explore(ctx context.Context, job step.Job) (json.RawMessage, error) {
	var spec step.ExploreSpec
	if err := json.Unmarshal(job.Spec, &spec); err != nil {
		return nil, fmt.Errorf("decode the search: %w", err)
	}
	ids := spec.Strategies
	if len(ids) == 0 {
		ids = strategy.IDs()
	}
	bounds := explore.Bounds{Crashes: spec.Crashes, Deliveries: spec.Deliveries, Workers: spec.Workers}
	shown := exploreDocument{ID: job.ID, State: lab.Running, Total: len(ids)}
	shown.Commit = r.Commit
	var one sync.Mutex
	report, err := explore.All(ctx, ids, bounds, catalogue.Broken, func(done int, _ string) {
		one.Lock()
		defer one.Unlock()
		shown.Done = max(shown.Done, done)
		r.show(ctx, job.ID, shown)
	})
	report.Commit = r.Commit
	shown.State, shown.Report = lab.Finished, report
	document, encodeErr := json.Marshal(shown)
	if err == nil {
		err = encodeErr
	}
	return document, err
}
