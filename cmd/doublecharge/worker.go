package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/payments/step/wire"
	"example.com/doublecharge/worker"
	"example.com/doublecharge/worker/seenset"
	"example.com/doublecharge/worker/strategy"
)

type workerCommand struct {
	Workers  int `env:"WORKERS" default:"1" help:"Processes to start with; the lab's setting wins."`
	Prefetch int `env:"PREFETCH" default:"1" help:"Deliveries in hand at once, per process."`
	databaseFlags
	brokerFlags
	redisFlags
	labFlags
	childFlag
}

// Validate bounds the processes, as the lab's setting does.
func (c *workerCommand) Validate() error {
	if c.Prefetch < 1 || c.Prefetch > 100 {
		return errors.New("--prefetch must be 1 to 100")
	}
	return checkWorkers(c.Workers)
}

func checkWorkers(n int) error {
	if n < 1 || n > 8 {
		return errors.New("--workers must be 1 to 8")
	}
	return nil
}

// Run supervises, or is the child.
func (c *workerCommand) Run(ctx context.Context, a *app) error {
	if err := c.databaseFlags.check(); err != nil {
		return err
	}
	if err := c.brokerFlags.check(); err != nil {
		return err
	}
	if c.Child > 0 {
		return c.child(ctx, a)
	}
	return a.supervise(ctx, role{name: "worker", children: c.Workers}, c.databaseFlags)
}

func (c *workerCommand) child(ctx context.Context, a *app) error {
	ctx, cancel, err := owned(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	o := c.options("worker")
	o.MaxConns = int32(max(8, 2*c.Prefetch))
	p, err := a.join(ctx, "worker", c.Child, c.databaseFlags, c.Lab, o)
	if err != nil {
		return err
	}
	defer p.close()
	return c.consume(ctx, a, p)
}

// consume takes charge jobs, and keeps dead letters.
func (c *workerCommand) consume(ctx context.Context, a *app, p *process) error {
	log := a.logger("worker").With("worker", c.Child)
	breaker := &rabbit.Breaker{}
	p.probe.Disconnect = breaker.Break
	handler, closeTools, err := c.worker(a, p)
	if err != nil {
		return err
	}
	defer closeTools()
	handler.Log = log
	if a.cli.APIBase != "" {
		log.WarnContext(ctx, "the bank is at another address than Stripe's", "base", a.cli.APIBase)
	}
	dead := worker.DeadLetters{Keep: p.store.KeepDeadLetter, Deliveries: p.store.Deliveries, Log: log}
	publisher := &rabbit.Publisher{
		URL: c.AMQPURL, Topology: c.topology(), Delays: defaultDelays(c.Lab), Name: "worker",
	}
	defer publisher.Close()
	consumer := rabbit.Consumer{
		URL: c.AMQPURL, Topology: c.topology(), Delays: defaultDelays(c.Lab), Publisher: publisher, Log: log,
	}
	jobs, letters := consumer, consumer
	jobs.Queue, jobs.Prefetch, jobs.Ready = c.topology().Jobs(), c.Prefetch, p.instance.SetReady
	jobs.Breaker = breaker
	letters.Queue = c.topology().Dead()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return jobs.Run(ctx, func(ctx context.Context, d *rabbit.Delivery) { handler.Handle(ctx, d) })
	})
	group.Go(func() error {
		return letters.Run(ctx, func(ctx context.Context, d *rabbit.Delivery) { dead.Handle(ctx, d) })
	})
	return group.Wait()
}

// worker makes the delivery loop on the real parts.
func (c *workerCommand) worker(a *app, p *process) (_ *worker.Worker, closeTools func(), err error) {
	bank, err := a.cli.gateway(wire.Transport{Base: http.DefaultTransport, Probe: p.probe})
	if err != nil {
		return nil, nil, err
	}
	redis, err := seenset.NewRedis(c.RedisURL, redisPrefix(c.Schema), seenset.KeptFor)
	if err != nil {
		return nil, nil, err
	}
	seen := seenset.NewPostgres(p.store.Pool())
	tools := strategy.Tools{
		Bank: bank, Ledger: postgres.NewLedger(p.store), Claims: seenset.NewClaims(p.store.Pool()),
		Seen: seen, Unguarded: seenset.NewUnguarded(p.store.Pool()),
		Redis: redis, Hybrid: seenset.Hybrid{Cache: redis, Truth: seen},
		Lease: c.lease(p.store),
		Mint:  func() payments.Key { return payments.Key(uuid.NewString()) },
		Now:   time.Now,
	}
	return &worker.Worker{
		Strategies: strategy.All(worker.Observe(tools, p.probe)),
		Attempts:   p.store,
		Probe:      p.probe,
		Delays:     c.delays(p.store),
		Now:        c.now(p.store),
	}, func() { _ = redis.Close() }, nil
}

// lease is the lab's setting, or the default one.
func (c *workerCommand) lease(store *postgres.Store) func(context.Context) time.Duration {
	return func(ctx context.Context) time.Duration {
		settings := step.DefaultSettings()
		if c.Lab {
			settings, _ = store.Settings(ctx) // Those of a database that is away are the default ones.
		}
		return time.Duration(settings.LeaseMS) * time.Millisecond
	}
}

// delays are the lab's setting, or production's.
func (c *workerCommand) delays(store *postgres.Store) func(context.Context) []time.Duration {
	return func(ctx context.Context) []time.Duration {
		if !c.Lab {
			return defaultDelays(false)
		}
		settings, err := store.Settings(ctx)
		if err != nil {
			return defaultDelays(true)
		}
		return durations(settings.RetryMS)
	}
}

// now is the lab's clock: the time, and how far the lab is ahead of it.
func (c *workerCommand) now(store *postgres.Store) func(context.Context) (time.Time, error) {
	return func(ctx context.Context) (time.Time, error) {
		if !c.Lab {
			return time.Now(), nil
		}
		ahead, _, err := store.Clock(ctx)
		return time.Now().Add(ahead), err
	}
}
