// Package postgrestest gives every test a store on a schema of its own, on the real database:
//
//	store := postgrestest.Open(t)
//
// The package of the test needs the TestMain of package stacktest. Where there is no database, the
// test is skipped. The schema is dropped when the test is over.
package postgrestest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/lab/stack/stacktest" //nolint:depguard // Tests may ask for servers; programs never import this.
	"example.com/doublecharge/migrations"
	"example.com/doublecharge/payments/postgres"
)

// limit bounds what is done before and after a test.
const limit = 60 * time.Second

// Open gives a store on a new schema.
func Open(tb testing.TB) *postgres.Store {
	tb.Helper()
	return OpenWith(tb, Options(tb))
}

// OpenWith gives one more store, such as a second process would have: on the schema of the options,
// with a pool of its own.
func OpenWith(tb testing.TB, o postgres.Options) *postgres.Store {
	tb.Helper()
	store, err := postgres.Open(tb.Context(), URL(tb), o)
	if err != nil {
		tb.Fatalf("open the store: %v", err)
	}
	tb.Cleanup(store.Close)
	return store
}

// Options makes a new schema, migrates it, and gives the options that lead to it.
func Options(tb testing.TB) postgres.Options {
	tb.Helper()
	url, o := URL(tb), postgres.Options{Schema: "test_" + uuid.NewString(), Name: tb.Name()}
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	if err := migrate(ctx, url, o); err != nil {
		tb.Fatalf("make a schema for the test: %v", err)
	}
	tb.Cleanup(func() {
		// The test's own context has ended by now.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), limit)
		defer cancel()
		if err := execute(ctx, url, "DROP SCHEMA "+pgx.Identifier{o.Schema}.Sanitize()+" CASCADE"); err != nil {
			tb.Errorf("drop the schema of the test: %v", err)
		}
	})
	return o
}

// URL is where the database is.
func URL(tb testing.TB) string {
	tb.Helper()
	url := stacktest.Servers(tb).DatabaseURL
	if url == "" {
		tb.Skip("skipped, it needs a database")
	}
	return url
}

// migrate lines up the migrations of tests that run at once. Their own lock would do the same, but
// looks only every five seconds whether it is free.
func migrate(ctx context.Context, url string, o postgres.Options) (err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }() // This frees the lock.
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('postgrestest'))`); err != nil {
		return err
	}
	_, err = postgres.Migrate(ctx, url, o, migrations.Files)
	return err
}

func execute(ctx context.Context, url, statement string) (err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	_, err = conn.Exec(ctx, statement)
	return err
}
