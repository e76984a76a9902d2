package seenset

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/doublecharge/payments"
)

// Claims hands out the right to work on a key for as long as a lease, by the database's clock. Each
// claim of a key has a higher fence than the one before.
type Claims struct{ pool *pgxpool.Pool }

// NewClaims makes claims on a pool whose search path has the table claims.
func NewClaims(pool *pgxpool.Pool) Claims { return Claims{pool} }

// takeClaim takes a key that is new, or whose lease is over. The row decides between two that come at once.
const takeClaim = `INSERT INTO claims AS c (key, fence, until) VALUES ($1, 1, clock_timestamp() + $2)
	ON CONFLICT (key) DO UPDATE SET fence = c.fence + 1, until = clock_timestamp() + $2
	WHERE NOT c.done AND c.until <= clock_timestamp()
	RETURNING fence, until`

// Claim gives [payments.ErrHeld] while somebody else has the key, and [payments.ErrAlreadyDone] once the
// work is completed.
func (c Claims) Claim(ctx context.Context, key payments.Key, lease time.Duration) (payments.Claim, error) {
	claim := payments.Claim{Key: key}
	err := c.pool.QueryRow(ctx, takeClaim, key, lease).Scan(&claim.Fence, &claim.Until)
	if err == nil {
		return claim, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return payments.Claim{}, fmt.Errorf("%w: claim: %w", payments.ErrUnavailable, err)
	}
	var done bool
	if err := c.pool.QueryRow(ctx, `SELECT done FROM claims WHERE key = $1`, key).Scan(&done); err != nil {
		return payments.Claim{}, fmt.Errorf("%w: read the claim: %w", payments.ErrUnavailable, err)
	}
	if done {
		return payments.Claim{}, payments.ErrAlreadyDone
	}
	return payments.Claim{}, payments.ErrHeld
}
