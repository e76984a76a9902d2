package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/doublecharge/lab/lane"
	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/payments/step"
)

// laboratory is what a command needs that runs experiments by itself: the servers, and a bank.
type laboratory struct {
	app     *app
	keeper  *stack.Keeper
	servers *stack.Stack
	bank    string
	stop    context.CancelFunc
	group   *errgroup.Group
}

// openLaboratory starts what is missing. It must be closed, and what it started does not outlive this
// process, however that ends.
func (a *app) openLaboratory(ctx context.Context) (_ *laboratory, err error) {
	keeper, err := startKeeper(ctx)
	if err != nil {
		return nil, err
	}
	l := &laboratory{app: a, keeper: keeper, stop: func() {}, group: &errgroup.Group{}}
	l.servers, err = stack.New(ctx, stack.Config{
		Kinds:  []stack.Kind{stack.Postgres(false), stack.RabbitMQ(), stack.Redis()},
		Keeper: keeper, OnProgress: a.tell,
	})
	if err != nil {
		return nil, errors.Join(err, keeper.Close())
	}
	if err := errors.Join(l.servers.Start(ctx), l.openBank(ctx)); err != nil {
		return nil, errors.Join(err, l.Close(ctx))
	}
	return l, nil
}

// openBank starts an emulator that forgets everything with this process.
func (l *laboratory) openBank(ctx context.Context) error {
	door, address, err := listenerFile(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	l.bank = "http://" + address
	bank := role{
		name: "stripe", args: []string{"stripe"}, listener: door, level: l.app.cli.LogLevel,
		env: []string{"DATABASE_URL=", "STRIPE_DATA=", "LOG_LEVEL=error"}, // That it forgets is no news here.
	}
	supervisor, err := l.app.supervisor(ctx, bank, nil)
	if err != nil {
		return err
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.group.Go(func() error { return supervisor.Run(ctx) })
	return nil
}

// lanes is how lanes are made on these servers.
func (l *laboratory) lanes() lane.Config {
	return l.app.lanes(servers{l.servers.DatabaseURL(), l.servers.AMQPURL(), l.servers.RedisURL(), l.bank})
}

// restart restarts one of the servers, if it was started here.
func (l *laboratory) restart(ctx context.Context, point step.Name) error {
	variable := map[step.Name]string{step.BrokerRestart: "AMQP_URL", step.DatabaseRestart: "DATABASE_URL"}[point]
	for _, server := range l.servers.Servers() {
		if server.Kind().Variable == variable {
			return server.Restart(ctx)
		}
	}
	return fmt.Errorf("there is no server behind %s", variable)
}

// Close stops what was started.
func (l *laboratory) Close(ctx context.Context) error {
	l.stop()
	err := l.group.Wait()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	return errors.Join(err, l.servers.Close(grace), l.keeper.Close())
}
