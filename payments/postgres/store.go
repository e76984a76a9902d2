package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/doublecharge/payments/step"
)

// Store gives access to the tables of one schema.
type Store struct {
	pool *pgxpool.Pool
	// Probe is reached between the writes of a checkout and their COMMIT. Its zero value does nothing.
	Probe step.Probe
}

// Options say how the connections of a pool behave.
type Options struct {
	// Schema is the search path. Defaults to public.
	Schema string
	// Name is shown in pg_stat_activity.
	Name string
	// MaxConns bounds the pool. Defaults to 8.
	MaxConns int32
	// LockTimeout bounds how long a statement waits for somebody else's lock. Defaults to 10 s.
	LockTimeout time.Duration
	// Patient lets a transaction stand idle for as long as a step may wait, instead of a minute.
	Patient bool
	// Relaxed lets a commit return before it is flushed. A killed client loses nothing by it; only a
	// crash of the server does. It is for the trace, never for orders.
	Relaxed bool
}

// Open makes a store. It does not connect yet: the database may come up later, or go and come back.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	config.MaxConns = 8
	if o.MaxConns > 0 {
		config.MaxConns = o.MaxConns
	}
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	o.apply(config.ConnConfig)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database pool: %w", err)
	}
	return &Store{pool: pool}, nil
}

// apply sets the session's bounds when it begins, which costs no round trip later.
func (o Options) apply(config *pgx.ConnConfig) {
	lockTimeout := 10 * time.Second
	if o.LockTimeout > 0 {
		lockTimeout = o.LockTimeout
	}
	schema := "public"
	if o.Schema != "" {
		schema = o.Schema
	}
	params := config.RuntimeParams
	params["search_path"] = pgx.Identifier{schema}.Sanitize()
	params["application_name"] = "doublecharge " + o.Name
	params["lock_timeout"] = milliseconds(lockTimeout)
	params["statement_timeout"] = milliseconds(30 * time.Second)
	// A client that is gone without a word gives its locks back.
	idle := time.Minute
	if o.Patient {
		idle += step.MaxWait
	}
	params["idle_in_transaction_session_timeout"] = milliseconds(idle)
	params["client_connection_check_interval"] = milliseconds(500 * time.Millisecond)
	if o.Relaxed {
		params["synchronous_commit"] = "off"
	}
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// Close returns when all connections are closed.
func (s *Store) Close() { s.pool.Close() }

// Pool gives the pool to packages that keep tables of their own in the same schema.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// inTx runs do in a transaction. What do returns is passed on as it is; that the transaction could not
// begin or commit is translated.
func (s *Store) inTx(ctx context.Context, do func(pgx.Tx) error) error {
	var inner error
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		inner = do(tx)
		return inner
	})
	if inner != nil {
		return inner
	}
	return translate(err)
}

// Ready says whether the database answers and has the schema.
func (s *Store) Ready(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, "SELECT FROM lab_clock")
	return translate(err)
}

// WithProbe is the same store, observed.
func (s *Store) WithProbe(p step.Probe) *Store { return &Store{pool: s.pool, Probe: p} }
