package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/doublecharge/payments/postgres"
)

// openDoors takes the ports of the page and of the emulator, which stay open until the end, and makes
// the roles' supervisors.
func (d *demo) openDoors(ctx context.Context) error {
	page, address, err := listenerFile(ctx, d.Addr)
	if err != nil {
		return err
	}
	d.page = "http://" + strings.Replace(address, "[::]", "localhost", 1) // All addresses are no address to open.
	bank, emulator, err := listenerFile(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	d.bank = "http://" + emulator
	options := postgres.Options{Schema: d.Schema, Name: "demo", MaxConns: 4}
	if d.store, err = postgres.Open(ctx, d.servers.DatabaseURL(), options); err != nil {
		return err
	}
	d.env = append(d.servers.Environ(),
		"LAB=1", "DATABASE_SCHEMA="+d.Schema, "STRIPE_EMULATOR_URL="+d.bank,
		"STRIPE_DATA="+filepath.Join(d.servers.Folder(), "stripe.log"), "WORKERS="+strconv.Itoa(d.Workers),
		"LOG_LEVEL="+d.app.cli.LogLevel.String(),
	)
	d.env = append(d.env, d.own()...)
	for _, r := range []role{
		{name: "api", listener: page},
		{name: "stripe", listener: bank},
		{name: "relay"},
		{name: "worker", children: d.Workers},
		{name: "mailer"},
	} {
		r.args, r.env, r.level = []string{r.name}, d.env, d.app.cli.LogLevel
		if d.roles[r.name], err = d.app.supervisor(ctx, r, d.store); err != nil {
			return err
		}
	}
	return nil
}

// own names the servers that were started here, which alone the lab may show and restart.
func (d *demo) own() []string {
	var env []string
	for _, server := range d.servers.Servers() {
		if os.Getenv(server.Kind().Variable) != "" {
			continue
		}
		switch server.Kind().Variable {
		case "DATABASE_URL":
			env = append(env, "LAB_OWN_DATABASE="+server.URL())
		case "AMQP_URL":
			env = append(env, "LAB_OWN_AMQP="+server.URL())
		case "REDIS_URL":
			env = append(env, "LAB_OWN_REDIS="+server.URL())
		}
	}
	return env
}

// start starts the supervisors of roles. The end of one ends the demo.
func (d *demo) start(ctx context.Context, names ...string) error {
	for _, name := range names {
		d.group.Go(func() error { return d.roles[name].Run(ctx) })
	}
	return ctx.Err()
}
