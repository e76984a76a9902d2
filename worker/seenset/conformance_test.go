package seenset_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/worker/seenset"
	"example.com/doublecharge/worker/strategy"
)

// kind is one kind of seen-set, and how to get a new one that is empty, and one whose store is away.
type kind struct {
	open func(t *testing.T) strategy.SeenSet
	away func(t *testing.T) strategy.SeenSet // nil: it has no store that could be
	// guarded says that one mark of a key succeeds and no second.
	guarded bool
}

var kinds = map[string]kind{
	"PostgreSQL": {
		func(t *testing.T) strategy.SeenSet { return seenset.NewPostgres(postgrestest.Open(t).Pool()) },
		func(t *testing.T) strategy.SeenSet {
			store := postgrestest.Open(t)
			store.Close()
			return seenset.NewPostgres(store.Pool())
		}, true,
	},
	"unguarded": {
		func(t *testing.T) strategy.SeenSet { return seenset.NewUnguarded(postgrestest.Open(t).Pool()) },
		func(t *testing.T) strategy.SeenSet {
			store := postgrestest.Open(t)
			store.Close()
			return seenset.NewUnguarded(store.Pool())
		}, false,
	},
	"Redis": {
		func(t *testing.T) strategy.SeenSet { return redis(t, seenset.KeptFor) },
		func(t *testing.T) strategy.SeenSet { return redisAt(t, "redis://127.0.0.1:1/0", seenset.KeptFor) }, true,
	},
	"hybrid": {
		func(t *testing.T) strategy.SeenSet {
			return seenset.Hybrid{Cache: redis(t, seenset.KeptFor), Truth: seenset.NewPostgres(postgrestest.Open(t).Pool())}
		},
		func(t *testing.T) strategy.SeenSet {
			store := postgrestest.Open(t)
			store.Close()
			return seenset.Hybrid{Cache: redis(t, seenset.KeptFor), Truth: seenset.NewPostgres(store.Pool())}
		}, true,
	},
	"hybrid without Redis": {
		func(t *testing.T) strategy.SeenSet {
			away := redisAt(t, "redis://127.0.0.1:1/0", seenset.KeptFor)
			return seenset.Hybrid{Cache: away, Truth: seenset.NewPostgres(postgrestest.Open(t).Pool())}
		}, nil, true,
	},
	"memory": {func(*testing.T) strategy.SeenSet { return seenset.NewMemory() }, nil, true},
}

func redis(t *testing.T, ttl time.Duration) *seenset.Redis {
	t.Helper()
	return redisAt(t, stacktest.Servers(t).RedisURL, ttl)
}

func redisAt(t *testing.T, url string, ttl time.Duration) *seenset.Redis {
	t.Helper()
	set, err := seenset.NewRedis(url, uuid.NewString()+":", ttl)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

// TestEverySeenSetRemembersWhatItWasTold is the one suite for all of them.
func TestEverySeenSetRemembersWhatItWasTold(t *testing.T) {
	t.Parallel()
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := kind.open(t)
			wantSeen(t, set, "m-1", false)
			if err := set.Mark(t.Context(), "m-1"); err != nil {
				t.Fatal(err)
			}
			for range 3 { // Asking forgets nothing.
				wantSeen(t, set, "m-1", true)
			}
			for _, other := range []payments.Key{"m-2", "M-1", "m-1 ", "m", ""} {
				wantSeen(t, set, other, false)
			}
			if err := set.Mark(t.Context(), "m-1"); errors.Is(err, payments.ErrAlreadyDone) != kind.guarded {
				t.Errorf("the second mark says %v", err)
			}
			wantSeen(t, set, "m-1", true) // A mark that came too late forgets nothing either.
			if err := set.Mark(t.Context(), "m-2"); err != nil {
				t.Error(err)
			}
		})
	}
}

func wantSeen(t *testing.T, set strategy.SeenSet, key payments.Key, want bool) {
	t.Helper()
	if seen, err := set.Seen(t.Context(), key); err != nil || seen != want {
		t.Errorf("seen %q is %t, %v", key, seen, err)
	}
}

// TestOneMarkOfMany succeeds, however many come at once; without the constraint all of them do.
func TestOneMarkOfMany(t *testing.T) {
	t.Parallel()
	const many = 16
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := kind.open(t)
			want := int32(1)
			if !kind.guarded {
				want = many
			}
			for round := range 5 {
				var won atomic.Int32
				var all sync.WaitGroup
				for range many {
					all.Go(func() {
						switch err := set.Mark(t.Context(), payments.Key(fmt.Sprint(round))); {
						case err == nil:
							won.Add(1)
						case !errors.Is(err, payments.ErrAlreadyDone):
							t.Error(err)
						}
					})
				}
				all.Wait()
				if won.Load() != want {
					t.Errorf("%d marks succeeded, want %d", won.Load(), want)
				}
			}
		})
	}
}

// TestASeenSetThatCannotBeReachedFailsClosed: it has not "not seen" anything.
func TestASeenSetThatCannotBeReachedFailsClosed(t *testing.T) {
	t.Parallel()
	for name, kind := range kinds {
		if kind.away == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := kind.away(t)
			if _, err := set.Seen(t.Context(), "m-1"); !errors.Is(err, payments.ErrUnavailable) {
				t.Errorf("seen says %v", err)
			}
			if err := set.Mark(t.Context(), "m-1"); !errors.Is(err, payments.ErrUnavailable) {
				t.Errorf("mark says %v", err)
			}
		})
	}
}

func TestWhoGaveUpIsToldNothing(t *testing.T) {
	t.Parallel()
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := kind.open(t)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if seen, err := set.Seen(ctx, "m-1"); err == nil {
				t.Errorf("seen is %t", seen)
			}
			if err := set.Mark(ctx, "m-1"); err == nil {
				t.Error("it is marked")
			}
		})
	}
}

// TestRedisForgets, which is what the lab shows with it, and nobody else's keys.
func TestRedisForgets(t *testing.T) {
	t.Parallel()
	brief := redis(t, 30*time.Millisecond)
	if err := brief.Mark(t.Context(), "m-1"); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for tries := 0; ; tries++ {
		seen, err := brief.Seen(t.Context(), "m-1")
		if err != nil || tries > 1000 {
			t.Fatalf("after its time it is %t, %v", seen, err)
		}
		if !seen {
			break
		}
		<-tick.C
	}
	one, other := redis(t, seenset.KeptFor), redis(t, seenset.KeptFor)
	for _, set := range []*seenset.Redis{one, other} {
		if err := set.Mark(t.Context(), "m-1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := one.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantSeen(t, one, "m-1", false)
	wantSeen(t, other, "m-1", true)
}

// TestTheHybridBelievesOnlyATruthThatSaidYes: Redis may be lost at any moment, and may be told nothing else.
func TestTheHybridBelievesOnlyATruthThatSaidYes(t *testing.T) {
	t.Parallel()
	cache, truth := seenset.NewMemory(), seenset.NewMemory()
	hybrid := seenset.Hybrid{Cache: cache, Truth: truth}
	wantSeen(t, hybrid, "m-1", false)
	wantSeen(t, cache, "m-1", false) // A no is not told.
	if err := truth.Mark(t.Context(), "m-1"); err != nil {
		t.Fatal(err)
	}
	wantSeen(t, hybrid, "m-1", true)
	wantSeen(t, cache, "m-1", true)
	if err := cache.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantSeen(t, hybrid, "m-1", true)
	if err := hybrid.Mark(t.Context(), "m-1"); !errors.Is(err, payments.ErrAlreadyDone) {
		t.Errorf("marked again: %v", err)
	}
}

func TestWithoutRedisNothingIsNotSeen(t *testing.T) {
	t.Parallel()
	set := redisAt(t, "", seenset.KeptFor)
	_, err := set.Seen(t.Context(), "m-1")
	for what, err := range map[string]error{"seen": err, "mark": set.Mark(t.Context(), "m-1"), "flush": set.Flush(t.Context())} {
		if !errors.Is(err, payments.ErrUnavailable) {
			t.Errorf("%s says %v", what, err)
		}
	}
	if _, err := seenset.NewRedis("secret:word@nowhere", "", time.Hour); err == nil {
		t.Error("an address that is none is taken")
	}
}
