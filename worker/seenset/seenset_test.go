package seenset_test

import (
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/worker/seenset"
	"example.com/doublecharge/worker/strategy"
)

func TestMain(m *testing.M) { os.Exit(stacktest.Main(m, stack.Postgres(true))) }

func TestPostgres(t *testing.T) {
	t.Parallel()
	conform(t, func(t *testing.T) strategy.SeenSet {
		t.Helper()
		return seenset.NewPostgres(postgrestest.Open(t).Pool())
	}, func(t *testing.T) strategy.SeenSet {
		t.Helper()
		url := "postgres://nobody@" + closedAddress(t) + "/nothing?sslmode=disable"
		store, err := postgres.Open(t.Context(), url, postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(store.Close)
		return seenset.NewPostgres(store.Pool())
	})
}

// conform holds any seen-set to what strategies may expect of it. The first function makes an empty
// one, the second one whose server cannot be reached.
func conform(t *testing.T, open, unreachable func(*testing.T) strategy.SeenSet) {
	t.Helper()
	t.Run("a key is seen once it is marked, and no other is", func(t *testing.T) {
		t.Parallel()
		set := open(t)
		wantSeen(t, set, "m-1", false)
		if err := set.Mark(t.Context(), "m-1"); err != nil {
			t.Fatal(err)
		}
		wantSeen(t, set, "m-1", true)
		wantSeen(t, set, "m-2", false)
		wantSeen(t, set, "M-1", false)
		wantSeen(t, set, "", false)
	})
	t.Run("a look marks nothing", func(t *testing.T) {
		t.Parallel()
		set := open(t)
		wantSeen(t, set, "m-1", false)
		wantSeen(t, set, "m-1", false)
	})
	t.Run("a second mark says that it is done already", func(t *testing.T) {
		t.Parallel()
		set := open(t)
		for _, want := range []error{nil, payments.ErrAlreadyDone, payments.ErrAlreadyDone} {
			if err := set.Mark(t.Context(), "m-1"); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		}
		if err := set.Mark(t.Context(), "m-2"); err != nil {
			t.Errorf("another key: %v", err)
		}
	})
	t.Run("of twenty marks at once, one wins", func(t *testing.T) {
		t.Parallel()
		conformAtOnce(t, open(t))
	})
	t.Run("without its server it fails closed", func(t *testing.T) {
		t.Parallel()
		set := unreachable(t)
		if _, err := set.Seen(t.Context(), "m-1"); !errors.Is(err, payments.ErrUnavailable) {
			t.Errorf("the look gives %v, which is no %v", err, payments.ErrUnavailable)
		}
		if err := set.Mark(t.Context(), "m-1"); !errors.Is(err, payments.ErrUnavailable) {
			t.Errorf("the mark gives %v, which is no %v", err, payments.ErrUnavailable)
		}
	})
}

func conformAtOnce(t *testing.T, set strategy.SeenSet) {
	t.Helper()
	const many = 20
	var won, done atomic.Int32
	var all sync.WaitGroup
	start := make(chan struct{})
	for range many {
		all.Go(func() {
			<-start
			switch err := set.Mark(t.Context(), "m-1"); {
			case err == nil:
				won.Add(1)
			case errors.Is(err, payments.ErrAlreadyDone):
				done.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	close(start)
	all.Wait()
	if won.Load() != 1 || done.Load() != many-1 {
		t.Errorf("%d won, and %d were told that it is done", won.Load(), done.Load())
	}
}

func wantSeen(t *testing.T, set strategy.SeenSet, key payments.Key, want bool) {
	t.Helper()
	if seen, err := set.Seen(t.Context(), key); err != nil || seen != want {
		t.Errorf("%q is seen: %v, %v, want %v", key, seen, err, want)
	}
}

// closedAddress is an address at which nobody listens.
func closedAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // Nothing to wait for.
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return address
}
