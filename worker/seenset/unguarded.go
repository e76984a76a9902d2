package seenset

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/doublecharge/payments"
)

// Unguarded keeps the set in the table seen_list, which has no unique constraint: a second mark of a key
// is a second row, and nobody complains. It is there to show what the constraint is worth.
type Unguarded struct{ pool *pgxpool.Pool }

// NewUnguarded makes such a set on a pool whose search path has the table.
func NewUnguarded(pool *pgxpool.Pool) Unguarded { return Unguarded{pool} }

// Seen says whether the key was marked.
func (u Unguarded) Seen(ctx context.Context, key payments.Key) (bool, error) {
	var seen bool
	err := u.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM seen_list WHERE key = $1)`, key).Scan(&seen)
	if err != nil {
		return false, fmt.Errorf("%w: read the list: %w", payments.ErrUnavailable, err)
	}
	return seen, nil
}

// Mark adds one more row.
func (u Unguarded) Mark(ctx context.Context, key payments.Key) error {
	if _, err := u.pool.Exec(ctx, `INSERT INTO seen_list (key) VALUES ($1)`, key); err != nil {
		return fmt.Errorf("%w: write the list: %w", payments.ErrUnavailable, err)
	}
	return nil
}
