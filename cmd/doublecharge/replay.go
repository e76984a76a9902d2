package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/lab/lane"
	"example.com/doublecharge/lab/matrix"
)

// replayed is a schedule that is to be played on real processes, and what must come of it.
type replayed struct {
	strategy string
	schedule explore.Schedule
	outcomes []explore.Outcome // of a schedule that comes to rest by itself
	property explore.Property  // of a counterexample: what it breaks
}

// replay plays the counterexamples, and schedules drawn at random, on real processes, and prints where
// these and the model disagree.
func (c *exploreCommand) replay(ctx context.Context, a *app, report explore.Report) (agrees bool, err error) {
	plays, err := c.plays(report)
	if err != nil {
		return false, err
	}
	laboratory, err := a.openLaboratory(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, laboratory.Close(ctx)) }()
	waiting := make(chan replayed, len(plays))
	for _, p := range plays {
		waiting <- p
	}
	close(waiting)
	disagreements := make(chan string, len(plays))
	var done atomic.Int32
	group, ctx := errgroup.WithContext(ctx)
	for range min(matrix.DefaultLanes, len(plays)) {
		group.Go(func() error {
			return replayLane(ctx, laboratory.lanes(), waiting, func(p replayed, err error) {
				if err != nil {
					disagreements <- fmt.Sprintf("%s  %s\n  %v", p.strategy, p.schedule, err)
				}
				a.progress("%d of %d schedules replayed", done.Add(1), len(plays))
			})
		})
	}
	err = group.Wait()
	close(disagreements)
	a.endProgress()
	n := 0
	for text := range disagreements {
		n++
		fmt.Fprintln(a.stderr, text)
	}
	fmt.Fprintf(a.stderr, "%d schedules replayed on real processes, disagreements: %d\n", done.Load(), n)
	return n == 0, err
}

// replayLane replays one after the other in a lane.
func replayLane(
	ctx context.Context, config lane.Config, waiting <-chan replayed, tell func(replayed, error),
) (err error) {
	l, err := lane.Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close(ctx)) }()
	for p := range waiting {
		run, err := l.Replay(ctx, uuid.Must(uuid.NewV7()).String(), p.strategy, p.schedule)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case err != nil:
		case p.property != "":
			err = lane.Breaks(run, p.property)
		default:
			err = lane.Agrees(run, p.outcomes)
		}
		tell(p, err)
	}
	return nil
}

// plays lists the report's counterexamples and the schedules drawn at random, in turn from each strategy.
// A strategy whose keys are made of the time of day is left out: a model's second is not the clock's.
func (c *exploreCommand) plays(report explore.Report) ([]replayed, error) {
	var plays []replayed
	var ids []string
	for _, s := range report.Strategies {
		maker, _ := explore.MakerOf(s.Strategy)
		if explore.ProfileOf(maker).Clock {
			continue
		}
		ids = append(ids, s.Strategy)
		shown, err := counterexamples(s)
		if err != nil {
			return nil, err
		}
		plays = append(plays, shown...)
	}
	if len(ids) == 0 {
		return plays, nil
	}
	rng := rand.New(rand.NewPCG(c.Seed, 0)) //nolint:gosec // It draws experiments, and must draw them again.
	for i := range c.Random {
		play, err := drawn(rng, ids[i%len(ids)], report.Bounds)
		if err != nil {
			return nil, err
		}
		plays = append(plays, play)
	}
	return plays, nil
}

// counterexamples are those of one strategy. What all adversaries together break, each alone does too.
func counterexamples(s explore.StrategyReport) ([]replayed, error) {
	var plays []replayed
	for _, v := range s.Violations {
		if v.Adversary == explore.Combined {
			continue
		}
		schedule, err := explore.ParseSchedule(v.Schedule)
		if err != nil {
			return nil, err
		}
		plays = append(plays, replayed{strategy: s.Strategy, schedule: schedule, property: v.Property})
	}
	return plays, nil
}

// drawn is a schedule drawn at random.
func drawn(rng *rand.Rand, id string, bounds explore.Bounds) (replayed, error) {
	maker, _ := explore.MakerOf(id)
	if explore.ProfileOf(maker).AcksEarly() {
		// Having acked, a real worker is handed the next message at once and keeps it until its turn ends.
		bounds.Workers = 1
	}
	schedule, outcomes, err := explore.Random(rng, maker, bounds)
	return replayed{strategy: id, schedule: schedule, outcomes: outcomes}, err
}
