package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
)

// LaneNumber is the right to a lane's number, its schema and its queues, against every other process
// on this database. It ends with its connection, so a process that is killed leaves none behind.
type LaneNumber struct {
	Number int
	conn   *pgx.Conn
}

// TakeLaneNumber takes the lowest number that nobody has.
func TakeLaneNumber(ctx context.Context, url string) (*LaneNumber, error) {
	conn, err := connect(ctx, url, Options{Name: "lane number"})
	if err != nil {
		return nil, err
	}
	taken := &LaneNumber{conn: conn}
	err = conn.QueryRow(ctx, `SELECT n FROM generate_series(1, 99) n
		WHERE pg_try_advisory_lock(hashtext('doublecharge lane'), n) LIMIT 1`).Scan(&taken.Number)
	if err != nil {
		taken.Release(ctx)
		return nil, fmt.Errorf("%w: no lane is free: %w", payments.ErrUnavailable, translate(err))
	}
	return taken, nil
}

// Release gives the number back.
func (n *LaneNumber) Release(ctx context.Context) { _ = n.conn.Close(context.WithoutCancel(ctx)) }

// DropSchema removes a schema with everything in it, if it is there.
func DropSchema(ctx context.Context, url, schema string) error {
	conn, err := connect(ctx, url, Options{Name: "drop schema"})
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+pgx.Identifier{schema}.Sanitize()+" CASCADE")
	return translate(err)
}
