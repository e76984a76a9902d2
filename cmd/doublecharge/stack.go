package main

import (
	"context"
	"os"

	"example.com/doublecharge/lab/stack"
)

// keeperCommand is the process that cleans up after one that was killed. It must outlive Ctrl-C.
type keeperCommand struct{}

// Run returns when its owner is gone and what it left is too.
func (c *keeperCommand) Run(ctx context.Context) error {
	return stack.RunKeeper(context.WithoutCancel(ctx), os.Stdin)
}

// stackCommand gives private servers to one command: how the tests of all packages share them.
type stackCommand struct {
	Args []string `arg:"" passthrough:"" help:"The command and its arguments."`
}

// Run runs the command.
func (c *stackCommand) Run(ctx context.Context, a *app) error {
	keeper, err := startKeeper(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = keeper.Close() }()
	servers, err := stack.New(ctx, stack.Config{
		Kinds:  []stack.Kind{stack.Postgres(true), stack.RabbitMQ(), stack.Redis()},
		Keeper: keeper, Logger: a.logger("stack"),
	})
	if err != nil {
		return err
	}
	args := c.Args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	code, err := stack.RunWith(ctx, servers, args)
	if err != nil {
		return err
	}
	return statusError(code).orNil()
}

func (e statusError) orNil() error {
	if e == 0 {
		return nil
	}
	return e
}

func startKeeper(ctx context.Context) (*stack.Keeper, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return stack.Keep(context.WithoutCancel(ctx), []string{exe, "keeper"})
}
