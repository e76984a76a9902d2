package seenset_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/worker/seenset"
	"example.com/doublecharge/worker/strategy"
)

// stores are what the sets are kept in, empty and all of them there, or all of them away.
type stores struct {
	pool    *pgxpool.Pool
	redis   *seenset.Redis
	nowhere *seenset.Redis // is never there
}

// kind is one kind of seen-set.
type kind struct {
	on func(stores) strategy.SeenSet
	// guarded says that one mark of a key succeeds and no second.
	guarded bool
	// inside says that it is kept in this process, which is never away.
	inside bool
}

var kinds = map[string]kind{
	"PostgreSQL": {
		on:      func(s stores) strategy.SeenSet { return seenset.NewPostgres(s.pool) },
		guarded: true,
	},
	"unguarded": {
		on: func(s stores) strategy.SeenSet { return seenset.NewUnguarded(s.pool) },
	},
	"Redis": {
		on:      func(s stores) strategy.SeenSet { return s.redis },
		guarded: true,
	},
	"hybrid": {
		on: func(s stores) strategy.SeenSet {
			return seenset.Hybrid{Cache: s.redis, Truth: seenset.NewPostgres(s.pool)}
		},
		guarded: true,
	},
	"hybrid without Redis": {
		on: func(s stores) strategy.SeenSet {
			return seenset.Hybrid{Cache: s.nowhere, Truth: seenset.NewPostgres(s.pool)}
		},
		guarded: true,
	},
	"memory": {
		on:      func(stores) strategy.SeenSet { return seenset.NewMemory() },
		guarded: true,
		inside:  true,
	},
}

// open gives a new set that is empty.
func (k kind) open(t *testing.T) strategy.SeenSet {
	t.Helper()
	return k.on(stores{postgrestest.Open(t).Pool(), newRedis(t), redisAt(t, nowhere)})
}

// away gives one whose stores cannot be reached.
func (k kind) away(t *testing.T) strategy.SeenSet {
	t.Helper()
	store := postgrestest.Open(t)
	store.Close()
	return k.on(stores{store.Pool(), redisAt(t, nowhere), redisAt(t, nowhere)})
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
		if kind.inside {
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
