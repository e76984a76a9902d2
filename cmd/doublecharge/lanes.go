package main

import (
	"context"
	"log/slog"

	"example.com/doublecharge/lab/lane"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/lab/runner"
	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// servers say where the lanes of this process find what they share.
type servers struct {
	database, amqp, redis, emulator string
}

// lanes is how this process makes lanes.
func (a *app) lanes(s servers) lane.Config {
	return lane.Config{
		DatabaseURL: s.database, AMQPURL: s.amqp, RedisURL: s.redis, Emulator: s.emulator,
		Supervisor: func(ctx context.Context, r lane.Role) (*stack.Supervisor, error) {
			return a.supervisor(ctx, role{
				name: r.Name, args: []string{r.Name}, env: r.Env, children: r.Children, listener: r.Listener,
				level: slog.LevelError, // A killed worker is no news here.
			}, r.Store)
		},
		Redis:   redisOf(s.redis),
		Version: version(),
		Log:     a.logger("lanes"),
	}
}

// work does what is asked of the lab over HTTP, until the context ends. The process that does it is the
// api's supervisor or the demo, which never crash.
func (a *app) work(ctx context.Context, store *postgres.Store, s servers) {
	r := runner.Runner{Store: store, Lanes: a.lanes(s), Commit: version(), Log: a.logger("lanes")}
	r.Run(ctx)
}

// planned is how many cells a matrix has.
func planned(spec step.MatrixSpec) (int, error) {
	cells, err := matrix.Plan(spec)
	return matrix.Total(cells), err
}
