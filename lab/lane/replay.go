package lane

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// longLease never ends by itself in a replay: the schedule says when leases end.
const longLease = int64(3_600_000)

// stepWait bounds how long a worker may take from one step to the next.
const stepWait = 15 * time.Second

// Replay plays a schedule of the explorer on real processes: in step mode, where every worker stands still
// at every step and is let go when the schedule says so. A crash is a SIGKILL to the process that stands
// there. Beside it the model plays the same schedule and tells where each worker must be. After the last
// event everybody is let go, and the bank judges.
func (l *Lane) Replay(ctx context.Context, id, strategy string, schedule explore.Schedule) (lab.Run, error) {
	maker, known := explore.MakerOf(strategy)
	if !known {
		return lab.Run{}, fmt.Errorf("there is no strategy %q", strategy)
	}
	stepMode, lease, workers := true, longLease, Workers
	spec := step.RunSpec{
		Strategy: strategy, Orders: 1,
		Settings: step.Change{Step: &stepMode, LeaseMS: &lease, Workers: &workers},
	}
	run := l.Lab.NewRun(id, spec)
	if err := l.prepare(ctx, spec); err != nil {
		return run, fmt.Errorf("prepare the replay: %w", err)
	}
	l.dirty = true
	p := &puppeteer{
		lane: l, stage: explore.NewStage(maker, Workers), run: &run, hands: map[int]hand{}, dead: map[int64]bool{},
	}
	if err := p.perform(ctx, schedule); err != nil {
		run.State = lab.Stopped
		return run, fmt.Errorf("replay %q: %w", schedule, err)
	}
	quiet, err := l.quiet(ctx)
	if err != nil {
		return run, err
	}
	l.dirty = !quiet
	return run, l.Lab.Conclude(ctx, &run, quiet)
}

// perform plays the events, and lets everybody go at the end.
func (p *puppeteer) perform(ctx context.Context, schedule explore.Schedule) (err error) {
	others, stop := context.WithCancel(ctx)
	waved := make(chan struct{})
	go func() { defer close(waved); p.waveThrough(others) }()
	defer func() { stop(); <-waved }()
	defer func() { err = errors.Join(err, p.letGo(ctx)) }()
	if err := p.buy(ctx); err != nil {
		return err
	}
	for i, event := range schedule {
		if err := p.play(ctx, event); err != nil {
			return fmt.Errorf("event %d, %s: %w", i+1, event, err)
		}
	}
	return nil
}

// letGo lets everybody go on by themselves.
func (p *puppeteer) letGo(ctx context.Context) error {
	off := false
	_, err := p.lane.Lab.Change(ctx, step.Change{Step: &off})
	return errors.Join(err, p.lane.Lab.Store.EndLeases(ctx))
}

// waveThrough lets everybody go who is no worker: the schedule is about workers.
func (p *puppeteer) waveThrough(ctx context.Context) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		waiting, err := p.lane.Lab.Store.Waiting(ctx)
		for _, w := range waiting {
			if err == nil && !isWorkers(w.Step) {
				_, err = p.lane.Lab.Store.Release(ctx, w.Instance)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

func (p *puppeteer) buy(ctx context.Context) error {
	ids, err := p.lane.buy(ctx, fmt.Sprintf("%s-%d", p.run.ID, len(p.run.OrderIDs)), 1)
	p.run.OrderIDs = append(p.run.OrderIDs, ids...)
	return err
}

// Agrees says whether what the bank and the books show is what the model says.
func Agrees(run lab.Run, outcomes []explore.Outcome) error {
	if len(run.Verdicts) != len(outcomes) {
		return fmt.Errorf("%d orders, the model has %d", len(run.Verdicts), len(outcomes))
	}
	var differences []error
	for i, want := range outcomes {
		v := run.Verdicts[i]
		// Points are counted in how often they were added.
		got := explore.Outcome{Charges: v.Charges, Status: v.Effects.Status.Got, Receipts: int(v.Effects.Receipt.Got)}
		const pointsOfOne = 420
		got.Points = int(v.Effects.Points.Got / pointsOfOne)
		if got != want {
			differences = append(differences, fmt.Errorf("order %d: real %+v, model %+v", i+1, got, want))
		}
	}
	return errors.Join(differences...)
}

// Breaks says whether a run broke the property that its schedule is a counterexample of.
func Breaks(run lab.Run, p explore.Property) error {
	wrong := string(p)
	switch p {
	case explore.Charge:
		if run.Verdict == payments.DoubleCharged {
			return nil
		}
	case explore.Lost:
		if run.Verdict == payments.NotCharged {
			return nil
		}
	case explore.SaleLost:
		if run.Verdict == payments.SaleLost {
			return nil
		}
	default:
		if slices.Contains(run.Wrong, wrong) {
			return nil
		}
	}
	return fmt.Errorf("it should break %s, and the verdict is %s, wrong: %v", p, run.Verdict, run.Wrong)
}
