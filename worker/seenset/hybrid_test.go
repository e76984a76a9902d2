package seenset_test

import (
	"errors"
	"testing"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/worker/seenset"
)

// TestTheHybridBelievesOnlyATruthThatSaidYes: the cache may be lost at any moment, and is told nothing else.
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

// TestTheHybridMarksTheTruthFirst: a cache that was told of a mark that failed would be believed.
func TestTheHybridMarksTheTruthFirst(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	store.Close()
	cache := seenset.NewMemory()
	hybrid := seenset.Hybrid{Cache: cache, Truth: seenset.NewPostgres(store.Pool())}
	if err := hybrid.Mark(t.Context(), "m-1"); !errors.Is(err, payments.ErrUnavailable) {
		t.Errorf("marked without the truth: %v", err)
	}
	wantSeen(t, cache, "m-1", false)
	if seen, err := hybrid.Seen(t.Context(), "m-1"); !errors.Is(err, payments.ErrUnavailable) {
		t.Errorf("a cache that says no is believed: %t, %v", seen, err)
	}
	if err := cache.Mark(t.Context(), "m-2"); err != nil {
		t.Fatal(err)
	}
	wantSeen(t, hybrid, "m-2", true) // Its yes is enough.
}

// TestTheHybridTellsTheCacheOfItsMarks, so that most questions never reach the truth.
func TestTheHybridTellsTheCacheOfItsMarks(t *testing.T) {
	t.Parallel()
	cache := seenset.NewMemory()
	hybrid := seenset.Hybrid{Cache: cache, Truth: seenset.NewMemory()}
	if err := hybrid.Mark(t.Context(), "m-1"); err != nil {
		t.Fatal(err)
	}
	wantSeen(t, cache, "m-1", true)
}
