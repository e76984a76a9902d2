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

func TestOneClaimOfManyHoldsTheKey(t *testing.T) {
	t.Parallel()
	claims := seenset.NewClaims(postgrestest.Open(t).Pool())
	var won, held atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			switch _, err := claims.Claim(t.Context(), "m-1", time.Hour); {
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
		t.Errorf("%d have it and %d hear that it is held", won.Load(), held.Load())
	}
	if _, err := claims.Claim(t.Context(), "m-2", time.Hour); err != nil {
		t.Errorf("another key: %v", err)
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
	if _, err := seenset.NewClaims(store.Pool()).Claim(t.Context(), "m-1", time.Hour); !errors.Is(err, payments.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}
