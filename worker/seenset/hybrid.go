package seenset

import (
	"context"

	"example.com/doublecharge/payments"
)

// set is a seen-set.
type set interface {
	Seen(ctx context.Context, key payments.Key) (bool, error)
	Mark(ctx context.Context, key payments.Key) error
}

// Hybrid asks a cache first and believes only its "yes", which it got from the truth. The cache may
// forget, or be away, at any moment: then the truth is asked, and nothing is looser than without it.
type Hybrid struct {
	// Cache is Redis.
	Cache set
	// Truth is PostgreSQL. When it cannot be reached, nobody has "not seen" a key.
	Truth set
}

// Seen says whether the key was marked, and tells the cache when the truth says yes.
func (h Hybrid) Seen(ctx context.Context, key payments.Key) (bool, error) {
	if seen, err := h.Cache.Seen(ctx, key); err == nil && seen {
		return true, nil
	}
	seen, err := h.Truth.Seen(ctx, key)
	if err == nil && seen {
		_ = h.Cache.Mark(ctx, key) // A cache that is away, or was told already, loses nothing.
	}
	return seen, err
}

// Mark marks the truth, and then the cache.
func (h Hybrid) Mark(ctx context.Context, key payments.Key) error {
	if err := h.Truth.Mark(ctx, key); err != nil {
		return err
	}
	_ = h.Cache.Mark(ctx, key) // As above.
	return nil
}
