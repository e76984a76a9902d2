// Package seenset remembers which messages were handled. An entry means done, never started, and is
// never deleted on success; a store that cannot be reached fails closed.
package seenset

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/doublecharge/payments"
)

// Postgres keeps the set in the table seen_set, whose primary key lets one mark of a key succeed.
type Postgres struct{ pool *pgxpool.Pool }

// NewPostgres makes a seen-set on a pool whose search path has the table.
func NewPostgres(pool *pgxpool.Pool) Postgres { return Postgres{pool} }

// Seen says whether the key was marked.
func (p Postgres) Seen(ctx context.Context, key payments.Key) (bool, error) {
	var seen bool
	err := p.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM seen_set WHERE key = $1)`, key).Scan(&seen)
	if err != nil {
		return false, fmt.Errorf("%w: read the seen-set: %w", payments.ErrUnavailable, err)
	}
	return seen, nil
}

// Mark says that the key is done. A key that is marked already gives [payments.ErrAlreadyDone].
func (p Postgres) Mark(ctx context.Context, key payments.Key) error {
	tag, err := p.pool.Exec(ctx, `INSERT INTO seen_set (key) VALUES ($1) ON CONFLICT DO NOTHING`, key)
	if err != nil {
		return fmt.Errorf("%w: write the seen-set: %w", payments.ErrUnavailable, err)
	}
	if tag.RowsAffected() == 0 {
		return payments.ErrAlreadyDone
	}
	return nil
}
