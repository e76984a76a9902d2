package main

import (
	"context"
	"time"

	"example.com/doublecharge/payments/outbox"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
)

type relayCommand struct {
	databaseFlags
	brokerFlags
	labFlags
	childFlag
}

// Run supervises, or is the child.
func (c *relayCommand) Run(ctx context.Context, a *app) error {
	if err := c.databaseFlags.check(); err != nil {
		return err
	}
	if err := c.brokerFlags.check(); err != nil {
		return err
	}
	if c.Child > 0 {
		return c.child(ctx, a)
	}
	return a.supervise(ctx, role{name: "relay"}, c.databaseFlags)
}

func (c *relayCommand) child(ctx context.Context, a *app) error {
	ctx, cancel, err := owned(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	log := a.logger("relay")
	p, err := a.join(ctx, "relay", c.Child, c.databaseFlags, c.Lab, c.options("relay"))
	if err != nil {
		return err
	}
	defer p.close()
	publisher := &rabbit.Publisher{
		URL: c.AMQPURL, Topology: c.topology(), Delays: defaultDelays(c.Lab), Name: "relay",
	}
	defer publisher.Close()
	go connectEarly(ctx, publisher, p.instance)
	probe := p.probe
	probe.Disconnect = publisher.Close
	relay := &outbox.Relay{
		Claim: func(ctx context.Context, limit int) (outbox.Batch, error) {
			batch, err := p.store.ClaimOutbox(ctx, limit)
			return batch, err
		},
		Publisher: publisher,
		Probe:     probe,
		Wake:      postgres.Wakes(ctx, c.DatabaseURL, c.options("relay wakes"), log),
		Log:       log,
	}
	return relay.Run(ctx)
}

// connectEarly connects before the first message does, and tells whether there is a connection.
func connectEarly(ctx context.Context, publisher *rabbit.Publisher, instance *postgres.Instance) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		instance.SetReady(publisher.Connect(ctx) == nil)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
