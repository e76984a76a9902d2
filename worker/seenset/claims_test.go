package seenset_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/worker/seenset"
)

// TestOneClaimOfManyHoldsTheKey, be it new or somebody's whose lease is over.
func TestOneClaimOfManyHoldsTheKey(t *testing.T) {
	t.Parallel()
	claims := seenset.NewClaims(postgrestest.Open(t).Pool())
	if _, err := claims.Claim(t.Context(), "left behind", 0); err != nil {
		t.Fatal(err)
	}
	for _, key := range []payments.Key{"new", "left behind"} {
		var won, held atomic.Int32
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				switch _, err := claims.Claim(t.Context(), key, time.Hour); {
				case err == nil:
					won.Add(1)
				case errors.Is(err, payments.ErrHeld):
					held.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 || held.Load() != 15 {
			t.Errorf("%q: %d have it and %d hear that it is held", key, won.Load(), held.Load())
		}
	}
}

func TestAClaimIsTakenOverWhenItsLeaseIsOver(t *testing.T) {
	t.Parallel()
	claims := seenset.NewClaims(postgrestest.Open(t).Pool())
	first, err := claims.Claim(t.Context(), "m-1", 0)
	if err != nil {
		t.Fatal(err)
	}
	second, err := claims.Claim(t.Context(), "m-1", time.Hour)
	if err != nil || second.Fence <= first.Fence || !second.Until.After(first.Until) {
		t.Errorf("%+v after %+v, %v", second, first, err)
	}
	if _, err := claims.Claim(t.Context(), "m-1", time.Hour); !errors.Is(err, payments.ErrHeld) {
		t.Errorf("the third says %v", err)
	}
}

func TestClaimsThatCannotBeReachedAreNotGiven(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	store.Close()
	_, err := seenset.NewClaims(store.Pool()).Claim(t.Context(), "m-1", time.Hour)
	if !errors.Is(err, payments.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}
