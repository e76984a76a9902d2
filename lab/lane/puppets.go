package lane

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments/step"
)

// trouble does what the schedule does around the workers.
func (p *puppeteer) trouble(ctx context.Context, e explore.Event) error {
	controls := p.lane.Lab
	switch e {
	case "duplicate":
		return controls.Redeliver(ctx, p.run.OrderIDs[0], "", 1)
	case "forget":
		_, err := controls.Advance(ctx, 25*time.Hour)
		return err
	case "lease-end":
		return controls.Store.EndLeases(ctx)
	case "flush":
		_, err := controls.Arm(ctx, step.Fault{Point: step.RedisFlush, Times: 1, DurationMS: 1})
		return err
	case "buy":
		return p.buy(ctx)
	default:
		return fmt.Errorf("nobody can do %q", e)
	}
}

// eitherAfter is when a delivery is taken whatever the broker's hint on it. A process that acked early was
// handed the next message at once, and where it died before it looked at that, the message comes back
// redelivered though nobody ever saw it. No strategy that acks early reads the hint.
const eitherAfter = 2 * time.Second

// delivered waits for a delivery that nobody in the schedule has yet, redelivered or not.
func (p *puppeteer) delivered(ctx context.Context, redelivered bool) (hand, error) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	either := time.NewTimer(eitherAfter)
	defer either.Stop()
	for takeEither := false; ; {
		waiting, _ := p.lane.Lab.Store.Waiting(ctx) // None, while the database cannot be asked.
		for _, w := range waiting {
			if w.Step != step.WorkerReceived || p.taken(w) {
				continue
			}
			is, err := p.lane.Lab.Store.LastRedelivered(ctx, w.Instance)
			if err == nil && (takeEither || is == redelivered) {
				return hand{w.Instance, w.Since}, nil
			}
		}
		select {
		case <-tick.C:
		case <-either.C:
			takeEither = true
		case <-ctx.Done():
			return hand{}, fmt.Errorf("nothing is delivered: %w", ctx.Err())
		}
	}
}

// taken says whether a worker of the schedule has this very delivery.
func (p *puppeteer) taken(w step.Waiting) bool {
	if p.dead[w.Instance] {
		return true
	}
	for _, h := range p.hands {
		if h.instance == w.Instance && !w.Since.After(h.since) {
			return true
		}
	}
	return false
}

// kill sends SIGKILL to the process that stands at the step.
func (p *puppeteer) kill(ctx context.Context, worker int) error {
	processes, err := p.lane.Lab.Store.Processes(ctx)
	if err != nil {
		return err
	}
	for _, process := range processes {
		if process.Instance == p.hands[worker].instance {
			p.dead[process.Instance] = true
			delete(p.hands, worker)
			if err := syscall.Kill(process.PID, syscall.SIGKILL); err != nil {
				return fmt.Errorf("kill worker %d: %w", process.Number, err)
			}
			return nil
		}
	}
	return fmt.Errorf("the process of worker %d is gone", worker)
}

// number is the number of a worker process, which faults are filtered by.
func (p *puppeteer) number(ctx context.Context, instance int64) (int, error) {
	processes, err := p.lane.Lab.Store.Processes(ctx)
	if err != nil {
		return 0, err
	}
	for _, process := range processes {
		if process.Instance == instance {
			return process.Number, nil
		}
	}
	return 0, fmt.Errorf("there is no worker instance %d", instance)
}
