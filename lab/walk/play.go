package walk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/tell"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

const (
	// look is how often the lab is asked for what is new.
	look = 100 * time.Millisecond
	// silence is how long it may not answer, as while its api is being started anew.
	silence = 15 * time.Second
)

// play runs an experiment for real and draws its trace as it comes in, paced.
func (w *Walk) play(ctx context.Context, spec step.RunSpec) (lab.Run, error) {
	w.line("")
	w.say("walk.running", tell.Faint)
	run, err := w.Lab.StartRun(ctx, spec)
	if err != nil {
		return run, err
	}
	w.line("")
	trace := trace{walk: w, diagram: tell.Diagram{Words: w.Words, Paint: w.Paint}}
	w.lines(trace.diagram.Head())
	for answered := time.Now(); ; {
		seen, err := w.Lab.Run(ctx, run.ID)
		switch {
		case err == nil:
			run, answered = seen, time.Now()
		case !errors.Is(err, payments.ErrUnavailable) || time.Since(answered) > silence:
			return run, err
		}
		if err := trace.draw(ctx, run.Events); err != nil {
			return run, err
		}
		switch run.State {
		case lab.Finished:
			return run, nil
		case lab.Stopped:
			return run, fmt.Errorf("the lab stopped the run: %s", run.Error)
		}
		if err := pause(ctx, look); err != nil {
			return run, err
		}
	}
}

// trace is a diagram that grows.
type trace struct {
	walk    *Walk
	story   tell.Story
	diagram tell.Diagram
	last    int64
}

// draw adds the rows of the events that are new.
func (t *trace) draw(ctx context.Context, events []step.Event) error {
	for _, event := range events {
		if event.ID <= t.last {
			continue
		}
		t.last = event.ID
		row, ok := t.story.Read(event)
		if !ok {
			continue
		}
		if err := pause(ctx, t.walk.Pace); err != nil {
			return err
		}
		t.walk.line(t.diagram.Row(row))
	}
	return nil
}
