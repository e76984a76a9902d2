package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/worker/strategy"
)

type exploreCommand struct {
	Strategies []string `name:"strategy" placeholder:"ID" help:"Only these strategies, with their counterexamples."`
	Crashes    int      `default:"2" help:"How many crashes a schedule may have, 0 to 4."`
	Deliveries int      `default:"3" help:"How often an order's message may be delivered, 1 to 5."`
	Workers    int      `default:"2" help:"Workers, 1 or 2."`
	Format     string   `enum:"table,json" default:"table" help:"table or json."`
	Replay     bool     `help:"Also play the counterexamples, and schedules drawn at random, on real processes."`
	Random     int      `default:"200" help:"How many random schedules to replay."`
	Seed       uint64   `default:"1" help:"Draws the same random schedules again."`
}

// Validate bounds the search.
func (c *exploreCommand) Validate() error {
	for _, id := range c.Strategies {
		if !slices.Contains(strategy.IDs(), id) {
			return fmt.Errorf("--strategy: there is no %q; known are %s", id, strings.Join(strategy.IDs(), ", "))
		}
	}
	switch {
	case c.Crashes < 0 || c.Crashes > 4:
		return errors.New("--crashes must be 0 to 4")
	case c.Deliveries < 1 || c.Deliveries > 5:
		return errors.New("--deliveries must be 1 to 5")
	case c.Workers < 1 || c.Workers > 2:
		return errors.New("--workers must be 1 or 2")
	case c.Random < 0:
		return errors.New("--random must not be negative")
	}
	return nil
}

// Run exits with 0 when every strategy is as its guarantees say, unsafe ones included.
func (c *exploreCommand) Run(ctx context.Context, a *app) error {
	ids := c.Strategies
	if len(ids) == 0 {
		ids = strategy.IDs()
	}
	bounds := explore.Bounds{Crashes: c.Crashes, Deliveries: c.Deliveries, Workers: c.Workers}
	report, err := explore.All(ctx, ids, bounds, catalogue.Broken, func(done int, id string) {
		a.progress("%d of %d  %s", done, len(ids), id)
	})
	if err != nil {
		return err
	}
	a.endProgress()
	report.Commit = version()
	if err := c.write(a.stdout, report); err != nil {
		return err
	}
	agrees := true
	if c.Replay {
		if agrees, err = c.replay(ctx, a, report); err != nil {
			return err
		}
	}
	if !agrees || !report.AsExpected() {
		return statusError(exitFound)
	}
	return nil
}

func (c *exploreCommand) write(out io.Writer, report explore.Report) error {
	if c.Format == "json" {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(report)
	}
	return explore.WriteTable(out, report, len(c.Strategies) > 0)
}
