package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// How often a job is looked at: soon at first, because most take less than two seconds.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = 500 * time.Millisecond
)

// State reads the state of the lab. It is also the way to find out whether one is there.
func (c *Client) State(ctx context.Context) (step.State, error) {
	var state step.State
	err := c.Get(ctx, "/lab/state", &state)
	return state, err
}

// Redrive has the dead letters sent back, or with dry only told what would become of them.
func (c *Client) Redrive(ctx context.Context, dry bool) ([]payments.Redriven, error) {
	var answer struct {
		Letters []payments.Redriven `json:"letters"`
	}
	err := c.Post(ctx, "/lab/redrive", map[string]bool{"dry_run": dry}, &answer)
	return answer.Letters, err
}

// StartRun asks for an experiment in a lane of its own, and gives the run as it begins.
func (c *Client) StartRun(ctx context.Context, spec step.RunSpec) (lab.Run, error) {
	if spec.Faults == nil {
		spec.Faults = []step.Fault{} // The lab takes no null.
	}
	var run lab.Run
	err := c.Post(ctx, "/lab/runs", spec, &run)
	return run, err
}

// Run reads a run as far as it has come.
func (c *Client) Run(ctx context.Context, id string) (lab.Run, error) {
	var run lab.Run
	err := c.Get(ctx, "/lab/runs/"+id, &run)
	return run, err
}

// AwaitRun waits until a run is over. A run that was stopped is an error, and given too.
func (c *Client) AwaitRun(ctx context.Context, id string) (lab.Run, error) {
	var run lab.Run
	err := c.await(ctx, "/lab/runs/"+id, &run)
	return run, err
}

// job is what every document of a job shows of itself.
type job struct {
	ID    string `json:"id"`
	State string `json:"state"`
	Error string `json:"error"`
}

// await reads a job's document until it is over, and then decodes it.
func (c *Client) await(ctx context.Context, path string, into any) error {
	pause, answered := firstLook, time.Now()
	for {
		var document json.RawMessage
		err := c.Get(ctx, path, &document)
		switch {
		case err == nil:
			answered = time.Now()
			if over, err := decode(document, into); over || err != nil {
				return err
			}
		case !errors.Is(err, payments.ErrUnavailable) || time.Since(answered) > c.silence:
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
			pause = min(pause*3/2, lastLook)
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}

// decode decodes the document of a job that is over.
func decode(document json.RawMessage, into any) (over bool, err error) {
	var shown job
	if err := json.Unmarshal(document, &shown); err != nil || shown.State == "" {
		return false, fmt.Errorf("the lab shows no job: %.200s", document)
	}
	if shown.State == lab.Running {
		return false, nil
	}
	if err := json.Unmarshal(document, into); err != nil {
		return true, fmt.Errorf("decode job %s: %w", shown.ID, err)
	}
	if shown.State == lab.Stopped {
		return true, fmt.Errorf("job %s was stopped: %s", shown.ID, shown.Error)
	}
	return true, nil
}
