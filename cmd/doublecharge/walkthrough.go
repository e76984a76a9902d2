package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/doublecharge/lab/client"
	"example.com/doublecharge/lab/tell"
	"example.com/doublecharge/lab/walk"
)

type walkthroughCommand struct {
	Lang string        `enum:"en,tr" default:"en" help:"en or tr."`
	Lab  string        `env:"LAB_URL" default:"http://127.0.0.1:4242" placeholder:"URL" help:"${walk_help}"`
	Pace time.Duration `default:"300ms" help:"Time between two lines of a trace at least."`
	// Schema is where the demo that may have to be started keeps its tables.
	Schema string `env:"DATABASE_SCHEMA" default:"public" hidden:""`
}

// Validate bounds the pace.
func (c *walkthroughCommand) Validate() error {
	if c.Pace < 0 {
		return errors.New("--pace must not be negative")
	}
	return nil
}

// Run walks on the lab that answers or, where none does, on one that lives as long as the walk.
func (c *walkthroughCommand) Run(ctx context.Context, a *app) error {
	words, err := walk.Words(c.Lang)
	if err != nil {
		return err
	}
	w := walk.Walk{
		Out: a.stdout, Words: words, Pace: c.Pace, Paint: tell.Paint{Colour: a.hasColour()},
	}
	if terminal, ok := openTerminal(os.Stdin, a.stdout); ok {
		w.Keys = terminal
	}
	lab := client.New(c.Lab)
	defer lab.Close()
	if _, err := lab.State(ctx); err == nil {
		fmt.Fprintf(a.stderr, "Using the lab at %s.\n", c.Lab)
		w.Lab = lab
		return w.Run(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Fprintf(a.stderr, "No lab answers at %s: starting one, which ends with the walkthrough.\n", c.Lab)
	return c.withDemo(ctx, a, func(ctx context.Context, page string) error {
		own := client.New(page)
		defer own.Close()
		w.Lab = own
		return w.Run(ctx)
	})
}

// withDemo runs a demo on a free port while the function runs. The end of either is the end of both.
func (c *walkthroughCommand) withDemo(
	ctx context.Context, a *app, do func(ctx context.Context, page string) error,
) error {
	group, ctx := errgroup.WithContext(ctx)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	a.cli.LogLevel = max(a.cli.LogLevel, slog.LevelWarn) // What its processes say would stand between the lines.
	pages := make(chan string, 1)
	demo := demoCommand{
		Addr: "127.0.0.1:0", Workers: 1, Schema: c.Schema, ready: func(page string) { pages <- page },
	}
	group.Go(func() error {
		defer stop()
		return demo.Run(ctx, a)
	})
	group.Go(func() error {
		defer stop()
		select {
		case page := <-pages:
			if err := do(ctx, page); !errors.Is(err, context.Canceled) {
				return err
			}
		case <-ctx.Done():
		}
		return nil // The demo says why it ended.
	})
	return group.Wait()
}

// hasColour says whether standard output is a terminal that wants colour (see no-color.org).
func (a *app) hasColour() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && a.isTerminal(a.stdout)
}
