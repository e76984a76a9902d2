package seenset

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/doublecharge/payments"
)

// KeptFor is how long Redis keeps a mark: longer than every redelivery, retry and redrive. What Redis
// forgets before that, by a flush, an eviction or a restart, is what the lab shows.
const KeptFor = 7 * 24 * time.Hour

// Redis keeps the set in Redis. It fails closed: a Redis that cannot be reached has not "not seen" a key.
type Redis struct {
	client *redis.Client
	prefix string
	ttl    time.Duration
}

// NewRedis makes a set under a prefix, so that several share one server. A URL that is empty gives a set
// that cannot be reached. It must be closed.
func NewRedis(url, prefix string, ttl time.Duration) (*Redis, error) {
	if url == "" {
		return &Redis{prefix: prefix, ttl: ttl}, nil
	}
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("REDIS_URL is no address like redis://user:password@host:6379/0")
	}
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = time.Second, time.Second, time.Second
	options.MaxRetries, options.DialerRetries = -1, 1 // Our own loop tries again, and says so.
	options.ContextTimeoutEnabled = true
	return &Redis{redis.NewClient(options), prefix, ttl}, nil
}

var errNoRedis = fmt.Errorf("%w: there is no Redis: set REDIS_URL", payments.ErrUnavailable)

// Seen says whether the key is marked and not forgotten.
func (r *Redis) Seen(ctx context.Context, key payments.Key) (bool, error) {
	if r.client == nil {
		return false, errNoRedis
	}
	n, err := r.client.Exists(ctx, r.prefix+string(key)).Result()
	if err != nil {
		return false, fmt.Errorf("%w: read Redis: %w", payments.ErrUnavailable, err)
	}
	return n > 0, nil
}

// Mark says that the key is done. A key that is marked already gives [payments.ErrAlreadyDone].
func (r *Redis) Mark(ctx context.Context, key payments.Key) error {
	if r.client == nil {
		return errNoRedis
	}
	err := r.client.SetArgs(ctx, r.prefix+string(key), 1, redis.SetArgs{Mode: "NX", TTL: r.ttl}).Err()
	switch {
	case errors.Is(err, redis.Nil): // Somebody was first.
		return payments.ErrAlreadyDone
	case err != nil:
		return fmt.Errorf("%w: write Redis: %w", payments.ErrUnavailable, err)
	default:
		return nil
	}
}

// Flush forgets every key under the prefix, and nobody else's.
func (r *Redis) Flush(ctx context.Context) error {
	if r.client == nil {
		return errNoRedis
	}
	literally := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)
	keys := r.client.Scan(ctx, 0, literally.Replace(r.prefix)+"*", 1000).Iterator()
	for keys.Next(ctx) {
		if err := r.client.Unlink(ctx, keys.Val()).Err(); err != nil {
			return fmt.Errorf("%w: flush Redis: %w", payments.ErrUnavailable, err)
		}
	}
	if err := keys.Err(); err != nil {
		return fmt.Errorf("%w: flush Redis: %w", payments.ErrUnavailable, err)
	}
	return nil
}

// Close closes the connections.
func (r *Redis) Close() error {
	if r.client == nil {
		return nil
	}
	return r.client.Close()
}
