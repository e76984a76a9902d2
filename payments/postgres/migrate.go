package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Migrate brings the schema up to date and says how many migrations it applied. Several may run at
// once: a lock in the database lets one pass at a time for each schema.
func Migrate(ctx context.Context, url string, o Options, files fs.FS) (applied int, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return 0, fmt.Errorf("DATABASE_URL: %w", err)
	}
	o.apply(config)
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := createSchema(ctx, db, o.Schema); err != nil {
		return 0, err
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(lockOf(o.Schema)))
	if err != nil {
		return 0, fmt.Errorf("migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return len(results), fmt.Errorf("migrate: %w", err)
	}
	return len(results), nil
}

// lockOf is a lock of the schema's own, so that nobody waits for the migration of another one.
func lockOf(schema string) int64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(schema))
	return int64(hash.Sum64())
}

func createSchema(ctx context.Context, db *sql.DB, schema string) error {
	if schema == "" {
		return nil
	}
	_, err := db.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{schema}.Sanitize())
	if err != nil {
		return fmt.Errorf("create the schema: %w", translate(err))
	}
	return nil
}
