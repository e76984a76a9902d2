// Package runner does the work that is asked of the lab over HTTP: runs, matrices, explorations, scenarios. It
// belongs to a process that never crashes, so that the death of an api ends no experiment; the two meet
// in the table of jobs.
package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/lane"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// atOnce is how many jobs are worked on side by side. A matrix has lanes of its own.
const atOnce = 4

// Runner works on jobs.
type Runner struct {
	Store  *postgres.Store
	Lanes  lane.Config
	Commit string
	Log    *slog.Logger
}

// Run works until the context ends, and returns when no lane is left.
func (r *Runner) Run(ctx context.Context) {
	_, _ = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, r.Store.StopJobs(ctx) },
		backoff.WithMaxElapsedTime(0)) // Whoever worked on them before is gone.
	var working sync.WaitGroup
	defer working.Wait()
	hands := make(chan struct{}, atOnce)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case hands <- struct{}{}:
			job, ok, err := r.Store.TakeJob(ctx)
			if err != nil || !ok { // While the database is away, nothing is asked for.
				<-hands
				break
			}
			working.Go(func() { r.work(ctx, job); <-hands })
			continue
		case <-ctx.Done():
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// work does one job and writes its end, also where it failed or was stopped.
func (r *Runner) work(ctx context.Context, job step.Job) {
	document, err := r.do(ctx, job)
	if err != nil {
		r.Log.WarnContext(ctx, "a job did not finish", "kind", job.Kind, "id", job.ID, "error", err)
		document = stopped(job, document, err)
	}
	cleanup, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := r.Store.EndJob(cleanup, job.ID, document, err == nil); err != nil {
		r.Log.ErrorContext(ctx, "the end of a job was not written", "kind", job.Kind, "id", job.ID, "error", err)
	}
}

func (r *Runner) do(ctx context.Context, job step.Job) (json.RawMessage, error) {
	switch job.Kind {
	case step.RunJob:
		return r.run(ctx, job)
	case step.MatrixJob:
		return r.matrix(ctx, job)
	case step.ExploreJob:
		return r.explore(ctx, job)
	case step.ScenarioJob:
		return r.scenario(ctx, job)
	default:
		return nil, fmt.Errorf("there is no job of kind %q", job.Kind)
	}
}

// run plays one run in a lane that lives as long as the run, and shows its trace meanwhile.
func (r *Runner) run(ctx context.Context, job step.Job) (json.RawMessage, error) {
	var spec step.RunSpec
	if err := json.Unmarshal(job.Spec, &spec); err != nil {
		return nil, fmt.Errorf("decode the run: %w", err)
	}
	l, err := lane.Open(ctx, r.Lanes)
	if err != nil {
		return nil, err
	}
	unfollow := r.follow(ctx, l.Lab, job)
	run, err := l.Play(ctx, job.ID, spec)
	unfollow()
	if closeErr := l.Close(ctx); err == nil {
		err = closeErr
	}
	document, encodeErr := json.Marshal(run)
	if encodeErr != nil {
		return nil, fmt.Errorf("encode the run: %w", encodeErr)
	}
	return document, err
}

// stopped is what is shown of a job that did not come to its end.
func stopped(job step.Job, document json.RawMessage, cause error) json.RawMessage {
	if document == nil {
		document = job.Document
	}
	fields := map[string]any{}
	_ = json.Unmarshal(document, &fields) // It was made here.
	fields["state"], fields["error"] = lab.Stopped, cause.Error()
	out, err := json.Marshal(fields)
	if err != nil {
		return document
	}
	return out
}
