package postgres

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/step"
)

// Instance is one start of one process, registered. It lives for as long as the connection that holds
// its lock, which kill -9 closes within milliseconds.
type Instance struct {
	step.Process
	url     string
	options Options
	ready   atomic.Bool
	changed chan struct{}
}

// Join registers this process under its role and number, waiting for the database and its schema for
// as long as it takes, and holds the lock until the context ends.
func Join(ctx context.Context, url string, o Options, role string, number int) (*Instance, error) {
	in := &Instance{
		Process: step.Process{Role: role, Number: number, PID: os.Getpid()},
		url:     url, options: o, changed: make(chan struct{}, 1),
	}
	conn, err := backoff.Retry(ctx, func() (*pgx.Conn, error) { return in.register(ctx) }, patiently()...)
	if err != nil {
		return nil, fmt.Errorf("join as %s: %w", role, err)
	}
	go in.hold(ctx, conn)
	return in, nil
}

// patiently retries for as long as the context lasts, at most every second.
func patiently() []backoff.RetryOption {
	pace := backoff.NewExponentialBackOff()
	pace.InitialInterval, pace.MaxInterval = 50*time.Millisecond, time.Second
	return []backoff.RetryOption{backoff.WithBackOff(pace), backoff.WithMaxElapsedTime(0)}
}

// register takes the lock in the statement that inserts the row, so that the row is never seen unlocked.
func (in *Instance) register(ctx context.Context) (*pgx.Conn, error) {
	conn, err := connect(ctx, in.url, in.options)
	if err != nil {
		return nil, err
	}
	err = conn.QueryRow(ctx, `WITH me AS (
			INSERT INTO processes (role, number, pid) VALUES ($1, $2, $3) RETURNING instance)
		SELECT instance, pg_advisory_lock_shared(process_lock_class(), instance::int)::text FROM me`,
		in.Role, in.Number, in.PID).Scan(&in.Instance, nil)
	if err == nil {
		err = conn.QueryRow(ctx, `SELECT start FROM process_starts WHERE instance = $1`, in.Instance).Scan(&in.Start)
	}
	if err != nil {
		_ = conn.Close(ctx)
		return nil, translate(err)
	}
	in.Restarts = in.Start - 1
	return conn, nil
}

// connect makes one connection outside the pools.
func connect(ctx context.Context, url string, o Options) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, backoff.Permanent(fmt.Errorf("DATABASE_URL: %w", err))
	}
	o.apply(config)
	config.ConnectTimeout = 5 * time.Second
	conn, err := pgx.ConnectConfig(ctx, config)
	return conn, translate(err)
}

// hold keeps the lock and the ready flag, over restarts of the database.
func (in *Instance) hold(ctx context.Context, conn *pgx.Conn) {
	for ctx.Err() == nil {
		in.watch(ctx, conn)
		_ = conn.Close(context.WithoutCancel(ctx))
		next, err := backoff.Retry(ctx, func() (*pgx.Conn, error) { return in.relock(ctx) }, patiently()...)
		if err != nil {
			return
		}
		conn = next
	}
}

// watch returns when the connection is lost or the context ends. While the database was away, the
// process may have been taken for dead; that it writes proves that it is not.
func (in *Instance) watch(ctx context.Context, conn *pgx.Conn) {
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	for {
		_, err := conn.Exec(ctx, `UPDATE processes SET ready = $2, ended_at = NULL
			WHERE instance = $1 AND (ready <> $2 OR ended_at IS NOT NULL)`,
			in.Instance, in.ready.Load())
		if err != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-in.changed:
		case <-beat.C:
		}
	}
}

func (in *Instance) relock(ctx context.Context) (*pgx.Conn, error) {
	conn, err := connect(ctx, in.url, in.options)
	if err != nil {
		return nil, err
	}
	_, err = conn.Exec(ctx, `SELECT pg_advisory_lock_shared(process_lock_class(), $1)`, int32(in.Instance))
	if err != nil {
		_ = conn.Close(ctx)
		return nil, translate(err)
	}
	return conn, nil
}

// SetReady says whether this process does its work, for the page's list of parts.
func (in *Instance) SetReady(ready bool) {
	if in.ready.Swap(ready) == ready {
		return
	}
	select {
	case in.changed <- struct{}{}:
	default: // One wake-up is as good as two.
	}
}
