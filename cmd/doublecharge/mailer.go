package main

import (
	"context"

	"example.com/doublecharge/worker"
)

type mailerCommand struct {
	databaseFlags
	labFlags
	childFlag
}

// Run supervises, or is the child.
func (c *mailerCommand) Run(ctx context.Context, a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Child > 0 {
		return c.child(ctx, a)
	}
	return a.supervise(ctx, role{name: "mailer"}, c.databaseFlags)
}

func (c *mailerCommand) child(ctx context.Context, a *app) error {
	ctx, cancel, err := owned(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	p, err := a.join(ctx, "mailer", c.Child, c.databaseFlags, c.Lab, c.options("mailer"))
	if err != nil {
		return err
	}
	defer p.close()
	p.instance.SetReady(true)
	mailer := &worker.Mailer{
		Claim: func(ctx context.Context) (worker.Letter, error) {
			letter, err := p.store.ClaimMail(ctx)
			return letter, err
		},
		Post:  p.store.Post,
		Probe: p.probe,
		Log:   a.logger("mailer"),
	}
	return mailer.Run(ctx)
}
