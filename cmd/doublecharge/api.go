package main

import (
	"context"
	"net/http"
	"strings"
	"time"

	"example.com/doublecharge/api"
	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/web"
)

type apiCommand struct {
	Addr      string   `env:"ADDR" default:"127.0.0.1:4242" help:"Address to serve on."`
	AllowHost []string `name:"allow-host" env:"ALLOW_HOST" help:"Further host names for the lab's controls."`
	// The demo names the servers that it started itself; only those may be shown.
	OwnDatabase string `name:"own-database" env:"LAB_OWN_DATABASE" hidden:""`
	OwnAMQP     string `name:"own-amqp" env:"LAB_OWN_AMQP" hidden:""`
	OwnRedis    string `name:"own-redis" env:"LAB_OWN_REDIS" hidden:""`
	databaseFlags
	brokerFlags
	redisFlags
	labFlags
	childFlag
}

// Run supervises, or is the child.
func (c *apiCommand) Run(ctx context.Context, a *app) error {
	if err := c.databaseFlags.check(); err != nil {
		return err
	}
	if err := c.brokerFlags.check(); err != nil {
		return err
	}
	if c.Child > 0 {
		return c.child(ctx, a)
	}
	file, _, err := listenerFile(ctx, c.Addr)
	if err != nil {
		return err
	}
	r := role{name: "api", listener: file}
	if c.Lab {
		r.beside = func(ctx context.Context, store *postgres.Store) {
			a.work(ctx, store, servers{c.DatabaseURL, c.AMQPURL, c.RedisURL, a.cli.Emulator})
		}
	}
	return a.supervise(ctx, r, c.databaseFlags)
}

// child serves at once, before the database is up: the page and what is still missing.
func (c *apiCommand) child(ctx context.Context, a *app) error {
	ctx, cancel, err := owned(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	listener, err := inherited()
	if err != nil {
		return err
	}
	config, closeAll, err := c.config(ctx, a)
	if err != nil {
		return err
	}
	defer closeAll()
	door := &door{early: api.New(config), joined: make(chan struct{})}
	go c.open(ctx, a, door, config)
	err = serve(ctx, listener, door, config.Log)
	door.close()
	return err
}

// config opens what requests use. Nothing of it needs a server to be up yet.
func (c *apiCommand) config(ctx context.Context, a *app) (config api.Config, closeAll func(), err error) {
	store, err := postgres.Open(ctx, c.DatabaseURL, c.storeOptions())
	if err != nil {
		return config, nil, err
	}
	controls, err := c.controls(ctx, a)
	if err != nil {
		return config, nil, err
	}
	// Readiness has an eye of its own on the broker: it must answer while the lab waits for a count.
	eye := &rabbit.Inspector{URL: c.AMQPURL, Topology: c.topology(), Delays: defaultDelays(c.Lab)}
	readiness := &lab.Readiness{Store: store, Queues: eye, Emulator: controls.Emulator, Now: time.Now}
	waker := postgres.NewWaker(c.DatabaseURL, c.options("api waker"), controls.Log)
	go waker.Run(ctx)
	config = api.Config{
		Store: store, Committed: waker.Wake, Parts: readiness.Parts, Hosts: c.AllowHost, Page: web.Files(),
		Closing: ctx.Done(), Log: controls.Log,
	}
	if c.Lab {
		config.Lab = controls
	}
	return config, func() {
		store.Close()
		controls.Store.Close()
		controls.Queues.Close()
		eye.Close()
	}, nil
}

// controls makes the lab, with connections of its own, so that it never takes one from a checkout.
func (c *apiCommand) controls(ctx context.Context, a *app) (*lab.Lab, error) {
	store, err := postgres.Open(ctx, c.DatabaseURL, c.options("lab"))
	if err != nil {
		return nil, err
	}
	bank, err := a.cli.gateway(nil)
	if err != nil {
		return nil, err
	}
	controls := &lab.Lab{
		Store:    store,
		Queues:   &rabbit.Inspector{URL: c.AMQPURL, Topology: c.topology(), Delays: defaultDelays(c.Lab)},
		Bank:     bank,
		Emulator: a.emulator(), Base: a.cli.base(),
		Version: version(), Plan: planned, Describe: catalogue.Strategies, Lessons: lessons, Begin: beginScenario,
		Servers: step.Servers{Database: c.OwnDatabase, AMQP: c.OwnAMQP, Redis: c.OwnRedis},
		Log:     a.logger("api"),
	}
	if redis := redisOf(c.RedisURL); redis != nil {
		controls.Redis = redis(c.Schema)
	}
	return controls, nil
}

// storeOptions: a checkout waits 250 ms for another one with the same key, so at most eight waiters
// must leave connections free for first requests.
func (c *apiCommand) storeOptions() postgres.Options {
	o := c.options("api")
	o.LockTimeout, o.MaxConns = 250*time.Millisecond, 24
	return o
}

// emulator is nil when the bank is Stripe.
func (a *app) emulator() *lab.Emulator {
	if a.cli.SecretKey != "" {
		return nil
	}
	return lab.NewEmulator(a.cli.base(), a.cli.key())
}

// open waits for the database, registers this process, and lets requests through that are observed.
func (c *apiCommand) open(ctx context.Context, a *app, d *door, config api.Config) {
	p, err := a.join(ctx, "api", c.Child, c.databaseFlags, c.Lab, c.storeOptions())
	if err != nil {
		return // The context ended.
	}
	config.Store, config.Probe = p.store, p.probe
	d.full, d.process = api.New(config), p
	close(d.joined)
	p.instance.SetReady(true)
}

// door serves the page and the readiness from the start. Everything else waits a moment for this
// process to be registered, because a checkout that is not observed could not be struck.
type door struct {
	early, full http.Handler
	process     *process
	joined      chan struct{}
}

// close closes what the requests used, when none is left.
func (d *door) close() {
	select {
	case <-d.joined:
		d.process.close()
	default: // It never opened.
	}
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/v1/") || strings.HasPrefix(r.URL.Path, "/lab/") {
		timer := time.NewTimer(2 * time.Second)
		defer timer.Stop()
		select {
		case <-d.joined:
		case <-timer.C:
		case <-r.Context().Done():
		}
	}
	select {
	case <-d.joined:
		d.full.ServeHTTP(w, r)
	default:
		d.early.ServeHTTP(w, r)
	}
}
