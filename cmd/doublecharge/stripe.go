package main

import (
	"context"

	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/stripetest"
)

type stripeCommand struct {
	Addr string `env:"ADDR" default:"127.0.0.1:12111" help:"Address to serve on."`
	Data string `env:"STRIPE_DATA" placeholder:"FILE" help:"${data_help}"`
	Sync bool   `env:"STRIPE_SYNC" help:"Flush every answer to the disk: survives a power cut."`
	// With a database the emulator is one of the lab's processes; it needs none.
	databaseFlags
	childFlag
}

// Run supervises, or is the child.
func (c *stripeCommand) Run(ctx context.Context, a *app) error {
	if c.Child > 0 {
		return c.child(ctx, a)
	}
	file, address, err := listenerFile(ctx, c.Addr)
	if err != nil {
		return err
	}
	a.logger("stripe").InfoContext(ctx, "Stripe's test mode, emulated", "address", "http://"+address)
	return a.supervise(ctx, role{name: "stripe", listener: file}, c.databaseFlags)
}

func (c *stripeCommand) child(ctx context.Context, a *app) error {
	ctx, cancel, err := owned(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	listener, err := inherited()
	if err != nil {
		return err
	}
	log := a.logger("stripe")
	server, err := stripetest.New(stripetest.Config{Data: c.Data, Sync: c.Sync, Logger: log})
	if err != nil {
		return err
	}
	if c.DatabaseURL != "" {
		go c.register(ctx)
	}
	err = serve(ctx, listener, server, log)
	if closeErr := server.Close(); err == nil {
		err = closeErr
	}
	return err
}

// register makes the emulator's process one that the lab can show.
func (c *stripeCommand) register(ctx context.Context) {
	instance, err := postgres.Join(ctx, c.DatabaseURL, c.options("stripe instance"), "stripe", c.Child)
	if err == nil {
		instance.SetReady(true)
	}
}
