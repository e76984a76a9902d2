package lab_test

import (
	"context"
	"errors"
	"testing"
)

// cache counts how often it was flushed.
type cache struct {
	err     error
	flushed int
}

func (c *cache) Flush(context.Context) error {
	c.flushed++
	return c.err
}

// TestAResetFlushesRedis, and one that is away keeps nobody from a clean table.
func TestAResetFlushesRedis(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{"there": nil, "away": errors.New("away")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, redis := newBench(t), &cache{err: err}
			b.Redis = redis
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			replace := make(chan struct{})
			close(replace)
			b.supervise(ctx, replace)
			if err := b.Reset(ctx); err != nil {
				t.Error(err)
			}
			if redis.flushed != 1 {
				t.Errorf("it was flushed %d times", redis.flushed)
			}
		})
	}
}
