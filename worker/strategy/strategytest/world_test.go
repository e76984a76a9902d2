package strategytest_test

import (
	"errors"
	"testing"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/strategy/strategytest"
)

var job = payments.ChargeJob{MessageID: "m-1", Amount: 42000, Currency: payments.TRY}

func TestTheBankHonoursAKeyUntilItForgets(t *testing.T) {
	t.Parallel()
	bank := &strategytest.NewWorld().Bank
	for _, want := range []string{"ch_1", "ch_1"} {
		if outcome, err := bank.Charge(t.Context(), job, "key"); err != nil || outcome.ChargeID != want {
			t.Errorf("got %v, %v, want %s", outcome, err, want)
		}
	}
	bank.Forget()
	if outcome, err := bank.Charge(t.Context(), job, "key"); err != nil || outcome.ChargeID != "ch_2" {
		t.Errorf("after it forgot: %v, %v", outcome, err)
	}
	if n := bank.Charges("m-1"); n != 2 {
		t.Errorf("%d charges, want 2", n)
	}
}

func TestTheLedgerAndTheSeenSetShareTheirMarks(t *testing.T) {
	t.Parallel()
	world := strategytest.NewWorld()
	tools := world.Tools()
	if err := tools.Seen.Mark(t.Context(), "key"); err != nil {
		t.Fatal(err)
	}
	err := tools.Ledger.ApplyOnce(t.Context(), "key", job, payments.Outcome{ChargeID: "ch_1"})
	if !errors.Is(err, payments.ErrAlreadyDone) || world.Effects("m-1") != (strategytest.Effects{}) {
		t.Errorf("got %v and %+v", err, world.Effects("m-1"))
	}
}
