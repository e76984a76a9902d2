package lane

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments/step"
)

// puppeteer moves real workers as a schedule says. A worker of the schedule is whichever process has the
// delivery that the schedule gave it: the broker chooses, and workers are interchangeable.
type puppeteer struct {
	lane  *Lane
	stage *explore.Stage
	run   *lab.Run
	hands map[int]hand   // by the worker's number in the schedule
	dead  map[int64]bool // the instances that were killed; for some milliseconds they still seem to wait
}

// hand is a delivery in the hands of a process.
type hand struct {
	instance int64
	since    time.Time // when it came to the step at which it stands
}

func isWorkers(name step.Name) bool { return strings.HasPrefix(string(name), "worker.") }

// play lets the model play the event, and the real worker follow.
func (p *puppeteer) play(ctx context.Context, e explore.Event) error {
	ctx, cancel := context.WithTimeout(ctx, stepWait)
	defer cancel()
	turn, err := p.stage.Play(e)
	if err != nil {
		return err
	}
	worker := e.Worker()
	switch {
	case worker == 0:
		return p.trouble(ctx, e)
	case e.Verb() == "deliver":
		p.hands[worker], err = p.delivered(ctx, turn.Redelivered)
		return err
	case e.Verb() == "crash":
		return p.kill(ctx, worker)
	case turn.Stays:
		return nil
	}
	if err := p.spoil(ctx, e, turn); err != nil {
		return err
	}
	return p.move(ctx, worker, turn)
}

// spoil arms what the event loses, and ends leases under which nobody works.
func (p *puppeteer) spoil(ctx context.Context, e explore.Event, turn explore.Turn) error {
	if turn.Claimed {
		return p.lane.Lab.Store.EndLeases(ctx)
	}
	point := step.Name("")
	switch e.How() {
	case "=lost":
		point = step.StripeResponseLost
	case "=never":
		point = step.StripeRequestLost
	default:
		return nil
	}
	number, err := p.number(ctx, p.hands[e.Worker()].instance)
	if err != nil {
		return err
	}
	_, err = p.lane.Lab.Arm(ctx, step.Fault{Point: point, Times: 1, DurationMS: 1, Worker: number})
	return err
}

// move lets a worker go until it stands at the step of the turn; where the turn ends without one, until it
// stands nowhere.
func (p *puppeteer) move(ctx context.Context, worker int, turn explore.Turn) error {
	h := p.hands[worker]
	for {
		if _, err := p.lane.Lab.Store.Release(ctx, h.instance); err != nil {
			return err
		}
		next, err := p.next(ctx, h, turn.Ended && turn.Stands == "")
		if err != nil {
			return err
		}
		if next == nil { // Its turn is over.
			return nil
		}
		h.since = next.Since
		p.hands[worker] = h
		if string(next.Step) == turn.Stands {
			break
		}
	}
	if !turn.Ended {
		return nil
	}
	_, err := p.lane.Lab.Store.Release(ctx, h.instance) // It has nothing left to do but to settle.
	return err
}

// next is where a process stands next. One whose turn ends may stand nowhere: then it is settled.
func (p *puppeteer) next(ctx context.Context, h hand, mayEnd bool) (*step.Waiting, error) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if w := p.standing(ctx, h, mayEnd); w != nil {
			return w, nil
		}
		if mayEnd {
			settled, err := p.lane.Lab.Store.SettledSince(ctx, h.instance, h.since)
			if err == nil && settled {
				return nil, nil //nolint:nilnil // It stands nowhere, which is no error.
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("worker instance %d does not get on: %w", h.instance, ctx.Err())
		}
	}
}

// standing is where the process stands by now, if it has moved. Where its turn may have ended, the receipt of
// the next delivery is not meant.
func (p *puppeteer) standing(ctx context.Context, h hand, mayEnd bool) *step.Waiting {
	waiting, _ := p.lane.Lab.Store.Waiting(ctx) // None, while the database cannot be asked.
	for _, w := range waiting {
		if w.Instance == h.instance && w.Since.After(h.since) && (!mayEnd || w.Step != step.WorkerReceived) {
			return &w
		}
	}
	return nil
}
