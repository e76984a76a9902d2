package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/worker/seenset"
)

// TestAClaimThatWasTakenOverCompletesNothing, whether its successor is at work or done.
func TestAClaimThatWasTakenOverCompletesNothing(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	ledger, claims, job := postgres.NewLedger(store), seenset.NewClaims(store.Pool()), bought(t, store)
	key := payments.Key(job.MessageID)
	first, err := claims.Claim(t.Context(), key, 0)
	if err != nil {
		t.Fatal(err)
	}
	second, err := claims.Claim(t.Context(), key, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	before := booksOf(t, store, job)
	if err := ledger.Complete(t.Context(), first, job, charged); !errors.Is(err, payments.ErrHeld) {
		t.Errorf("while the successor is at work: %v", err)
	}
	if diff := cmp.Diff(before, booksOf(t, store, job)); diff != "" {
		t.Errorf("it wrote something:\n%s", diff)
	}
	if err := ledger.Complete(t.Context(), second, job, charged); err != nil {
		t.Fatal(err)
	}
	for name, claim := range map[string]payments.Claim{"the first": first, "the second": second} {
		if err := ledger.Complete(t.Context(), claim, job, charged); !errors.Is(err, payments.ErrAlreadyDone) {
			t.Errorf("%s once more: %v", name, err)
		}
	}
	if _, err := claims.Claim(t.Context(), key, time.Hour); !errors.Is(err, payments.ErrAlreadyDone) {
		t.Errorf("a claim of what is done: %v", err)
	}
	want := books{payments.OrderPaid, payments.AttemptPaid, "ch_1", 420, 1}
	if diff := cmp.Diff(want, booksOf(t, store, job)); diff != "" {
		t.Error(diff)
	}
}

// TestALeaseThatEndedAndWasNotTakenOverStillCompletes: nobody else has begun. What is done stays done,
// although the lease is over.
func TestALeaseThatEndedAndWasNotTakenOverStillCompletes(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	ledger, claims, job := postgres.NewLedger(store), seenset.NewClaims(store.Pool()), bought(t, store)
	claim, err := claims.Claim(t.Context(), payments.Key(job.MessageID), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := ledger.Complete(t.Context(), claim, job, charged); err != nil {
		t.Error(err)
	}
	if _, err := claims.Claim(t.Context(), claim.Key, time.Hour); !errors.Is(err, payments.ErrAlreadyDone) {
		t.Errorf("a claim of what is done: %v", err)
	}
}
