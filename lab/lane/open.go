package lane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/migrations"
	"example.com/doublecharge/payments/gateway"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
)

// readyWait bounds how long the processes of a lane may take to be at work.
const readyWait = 30 * time.Second

// Open makes a lane and returns when all its processes are at work.
func Open(ctx context.Context, c Config) (*Lane, error) {
	number, err := postgres.TakeLaneNumber(ctx, c.DatabaseURL)
	if err != nil {
		return nil, err
	}
	l := &Lane{
		config: c, number: number, roles: map[string]*stack.Supervisor{}, stop: func() {},
		client: &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{}},
	}
	if err := l.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open lane %d: %w", number.Number, err), l.Close(ctx))
	}
	return l, nil
}

func (l *Lane) open(ctx context.Context) error {
	if err := l.controls(ctx); err != nil {
		return err
	}
	if err := l.wipe(ctx); err != nil { // What a process that was killed has left.
		return err
	}
	if _, err := postgres.Migrate(ctx, l.config.DatabaseURL, l.options("lane"), migrations.Files); err != nil {
		return err
	}
	if err := l.start(ctx); err != nil {
		return err
	}
	return l.awaitReady(ctx)
}

func (l *Lane) options(name string) postgres.Options {
	return postgres.Options{Schema: l.Name(), Name: l.Name() + " " + name, MaxConns: 4}
}

// account is the lane's account at the bank.
func (l *Lane) account() string { return l.Name() }

// controls makes the lab of this lane.
func (l *Lane) controls(ctx context.Context) error {
	key := "sk_test_" + l.account()
	bank, err := gateway.New(gateway.Config{Key: key, BaseURL: l.config.Emulator})
	if err != nil {
		return err
	}
	store, err := postgres.Open(ctx, l.config.DatabaseURL, l.options("lab"))
	if err != nil {
		return err
	}
	l.Lab = &lab.Lab{
		Store: store, Bank: bank, Emulator: lab.NewEmulator(l.config.Emulator, key), Base: l.config.Emulator,
		Queues: &rabbit.Inspector{
			URL: l.config.AMQPURL, Topology: rabbit.Topology{Prefix: l.Name() + "."}, Delays: delays(),
		},
		Version: l.config.Version, Log: l.config.Log,
	}
	if l.config.Redis != nil {
		l.Lab.Redis = l.config.Redis(l.Name())
	}
	return nil
}

// start starts the supervisors, which keep the processes alive until the lane is closed.
func (l *Lane) start(ctx context.Context) error {
	door, address, err := listen(ctx)
	if err != nil {
		return err
	}
	l.base = "http://" + address
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	for _, role := range []Role{
		{Name: "api", Children: 1, Listener: door},
		{Name: "relay", Children: 1},
		{Name: "worker", Children: Workers},
		{Name: "mailer", Children: 1},
	} {
		role.Env, role.Store = l.env(), l.Lab.Store
		supervisor, err := l.config.Supervisor(ctx, role)
		if err != nil {
			return err
		}
		l.roles[role.Name] = supervisor
		l.running.Go(func() {
			if err := supervisor.Run(ctx); err != nil {
				l.config.Log.ErrorContext(ctx, "a lane has lost a role", "lane", l.Name(), "role", role.Name,
					"error", err)
			}
		})
	}
	return nil
}

// env is what makes a process one of this lane. It overrides what this process was given: a lane is
// never charged at Stripe.
func (l *Lane) env() []string {
	return []string{
		"LAB=1", "LOG_LEVEL=error", "DATABASE_URL=" + l.config.DatabaseURL, "DATABASE_SCHEMA=" + l.Name(),
		"AMQP_URL=" + l.config.AMQPURL, "QUEUE_PREFIX=" + l.Name() + ".", "REDIS_URL=" + l.config.RedisURL,
		"STRIPE_SECRET_KEY=", "STRIPE_API_BASE=", "STRIPE_EMULATOR_URL=" + l.config.Emulator,
		"STRIPE_EMULATOR_ACCOUNT=" + l.account(), "WORKERS=" + strconv.Itoa(Workers), "PREFETCH=1",
	}
}

// listen opens the api's port, which stays open while the api is dead.
func listen(ctx context.Context) (file *os.File, address string, err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", fmt.Errorf("listen for a lane: %w", err)
	}
	defer func() { err = errors.Join(err, listener.Close()) }() // The file is a copy of its own.
	tcp, _ := listener.(*net.TCPListener)                       // Network tcp gives nothing else.
	file, err = tcp.File()
	return file, listener.Addr().String(), err
}

// awaitReady waits for every process.
func (l *Lane) awaitReady(ctx context.Context) error {
	for _, role := range []string{"api", "relay", "worker", "mailer"} {
		if err := l.await(ctx, role, len(l.roles[role].Processes())); err != nil {
			return err
		}
	}
	return nil
}

// await waits until so many processes of a role are at work.
func (l *Lane) await(ctx context.Context, role string, n int) error {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		ready, err := l.Lab.Store.ReadyCount(ctx, role)
		if err == nil && ready == n && n > 0 {
			return nil
		}
		select {
		case <-tick.C:
			n = len(l.roles[role].Processes())
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%d of %d processes of role %s are ready", ready, n, role), err, ctx.Err())
		}
	}
}
