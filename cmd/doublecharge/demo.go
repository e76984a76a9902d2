package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/migrations"
	"example.com/doublecharge/payments/postgres"
)

type demoCommand struct {
	Addr    string `env:"ADDR" default:"127.0.0.1:4242" help:"Address of the page."`
	Workers int    `env:"WORKERS" default:"1" help:"Worker processes to start with."`
	Schema  string `env:"DATABASE_SCHEMA" default:"public" help:"Schema of all tables."`

	// ready hears where the page is instead of whoever reads standard output; nil prints the box.
	ready func(page string)
}

// Validate bounds the worker processes, as the lab's setting does.
func (c *demoCommand) Validate() error { return checkWorkers(c.Workers) }

// demo is everything on this machine: the servers, and the supervisors of all roles in this process,
// which never crashes; their children do.
type demo struct {
	*demoCommand
	app     *app
	servers *stack.Stack
	store   *postgres.Store
	group   *errgroup.Group
	roles   map[string]*stack.Supervisor
	page    string
	bank    string
	env     []string
}

// Run starts everything and returns when all of it is stopped.
func (c *demoCommand) Run(ctx context.Context, a *app) (err error) {
	keeper, err := startKeeper(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, keeper.Close()) }()
	servers, err := stack.New(ctx, stack.Config{
		Kinds:  []stack.Kind{stack.Postgres(false), stack.RabbitMQ(), stack.Redis()},
		Keeper: keeper, OnProgress: a.tell,
	})
	if err != nil {
		return err
	}
	defer func() {
		fmt.Fprintln(a.stderr, "Stopping what was started …")
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
		defer cancel()
		err = errors.Join(err, servers.Close(grace))
	}()
	group, ctx := errgroup.WithContext(ctx)
	d := &demo{demoCommand: c, app: a, servers: servers, group: group, roles: map[string]*stack.Supervisor{}}
	group.Go(func() error { return d.run(ctx) })
	return group.Wait()
}

// shared is what the lanes of this demo use besides what is their own.
func (d *demo) shared() servers {
	return servers{d.servers.DatabaseURL(), d.servers.AMQPURL(), d.servers.RedisURL(), d.bank}
}

// tell says in one line which server was taken, and when it is up.
func (a *app) tell(p stack.Progress) {
	switch p.State {
	case stack.Starting:
		fmt.Fprintf(a.stderr, "  starting %s\n", p.Server)
	case stack.Ready:
		fmt.Fprintf(a.stderr, "  ready    %s (%.1f s)\n", p.Server, p.Elapsed.Seconds())
	case stack.Failed:
		fmt.Fprintf(a.stderr, "  failed   %s: %v\n", p.Server, p.Err)
	}
}

// run brings up the page first, then the servers, then the roles that need them.
func (d *demo) run(ctx context.Context) error {
	if err := d.openDoors(ctx); err != nil {
		return err
	}
	early := d.servers.Environ()
	if err := d.start(ctx, "api", "stripe"); err != nil {
		return err
	}
	fmt.Fprintf(d.app.stderr, "The page is at %s and fills up while the servers boot.\n", d.page)
	if err := d.servers.Start(ctx); err != nil {
		return err
	}
	if !slices.Equal(early, d.servers.Environ()) {
		// What was started before knows the old address; this is rare enough to begin again.
		return errors.New("another program took a port just now: start the demo again")
	}
	options := postgres.Options{Schema: d.Schema, Name: "demo"}
	if _, err := postgres.Migrate(ctx, d.servers.DatabaseURL(), options, migrations.Files); err != nil {
		return err
	}
	if err := d.start(ctx, "relay", "worker", "mailer"); err != nil {
		return err
	}
	d.group.Go(func() error { obey(ctx, d.store, d.roles, d.Workers); return nil })
	d.group.Go(func() error { d.restart(ctx); return nil })
	d.group.Go(func() error { d.app.work(ctx, d.store, d.shared()); return nil })
	if err := waitReady(ctx, d.page, nil); err != nil {
		return ctx.Err()
	}
	if d.ready != nil {
		d.ready(d.page)
		return nil
	}
	printBox(d.app.stdout, d.page)
	return nil
}
