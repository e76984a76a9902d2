package main

import (
	"context"
	"time"

	"example.com/doublecharge/payments/postgres"
)

// restart polls which of its servers the lab wants restarted. A command is done before it is carried out:
// the database that keeps it may be the server that goes down.
func (d *demo) restart(ctx context.Context) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		commands, _ := d.store.Commands(ctx, postgres.ServersRole) // While it is away, there are none.
		for _, command := range commands {
			if d.store.Done(ctx, command.ID) != nil {
				break // It is away already; the next tick asks again.
			}
			d.restartServer(ctx, command.Command)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (d *demo) restartServer(ctx context.Context, variable string) {
	log := d.app.logger("demo")
	for _, server := range d.servers.Servers() {
		if server.Kind().Variable != variable {
			continue
		}
		if err := server.Restart(ctx); err != nil {
			log.ErrorContext(ctx, "a server was not restarted", "server", server.String(), "error", err)
			return
		}
		log.InfoContext(ctx, "restarted", "server", server.String())
	}
}
