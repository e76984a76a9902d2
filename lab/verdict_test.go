package lab_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// charges are bank lines for an order.
func charges(order payments.Order, ids ...string) []payments.BankLine {
	var lines []payments.BankLine
	for _, id := range ids {
		lines = append(lines, payments.BankLine{
			ChargeID: id, OrderID: order.ID, MessageID: order.Attempts[0].MessageID, Account: order.Account,
			Amount: order.Amount, Currency: order.Currency, Status: "succeeded",
		})
	}
	return lines
}

func (b *bench) wantVerdict(order payments.Order, want payments.VerdictName, charges int) payments.Verdict {
	b.t.Helper()
	got, err := b.Verdict(b.t.Context(), order.ID)
	if err != nil || got.Verdict != want || got.Charges != charges {
		b.t.Errorf("the verdict is %s with %d charges, %v, want %s with %d",
			got.Verdict, got.Charges, err, want, charges)
	}
	return got
}

func TestTheVerdictIsPendingUntilAllIsQuietAndThenTheBankDecides(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	order, other := b.buy(), b.buy()
	b.bank.shows(append(charges(order, "ch_1"), charges(other, "ch_2", "ch_3")...), nil)
	b.wantVerdict(order, payments.Pending, 1) // Two rows are unsent.
	b.wantVerdict(other, payments.DoubleCharged, 2)
	b.relay()
	b.pay(order, "ch_1")
	verdict := b.wantVerdict(order, payments.ChargedOnce, 1)
	if !verdict.Effects.Right() || verdict.Ledger != "agrees" || verdict.Deliveries != 1 {
		t.Errorf("the verdict is %+v", verdict)
	}
	b.bank.shows(nil, nil)
	b.wantVerdict(other, payments.NotCharged, 0)
}

func TestTheVerdictIsUnknownWhenTheBankCannotBeAsked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	order := b.buy()
	b.relay()
	b.pay(order, "ch_1")
	b.bank.shows(nil, errors.New("the bank is down"))
	if verdict := b.wantVerdict(order, payments.UnknownYet, 0); verdict.Ledger != "unknown" {
		t.Errorf("and yet our ledger %s", verdict.Ledger)
	}
	b.bank.shows(charges(order, "ch_1"), nil)
	b.wantVerdict(order, payments.ChargedOnce, 1)
}

func TestTheVerdictCountsTheCallsOfItsOwnOrder(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	order := b.buy()
	b.relay()
	recorder := postgres.NewRecorder(b.Store, step.Process{})
	for _, c := range []struct {
		orderID string
		detail  step.Detail
	}{
		{order.ID, step.Detail{From: "worker", To: "stripe"}},
		{order.ID, step.Detail{From: "worker", To: "stripe"}},
		{order.ID, step.Detail{From: "stripe", To: "worker", Outcome: "replayed"}},
		{newID(), step.Detail{From: "worker", To: "stripe"}},
	} {
		ctx := step.About(t.Context(), step.Subject{OrderID: c.orderID})
		if _, err := recorder.Record(ctx, step.StripeCharge, c.detail); err != nil {
			t.Fatal(err)
		}
	}
	if v := b.wantVerdict(order, payments.NotCharged, 0); v.Requests != 2 || v.Replayed != 1 {
		t.Errorf("%d requests and %d replays", v.Requests, v.Replayed)
	}
}

func TestThereIsNoVerdictOnAnOrderThatIsNot(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.Verdict(t.Context(), newID())
	wantError(t, err, payments.ErrNotFound)
}

func TestTheStatementShowsTheBankBesideOurBooks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	order := b.buy()
	b.relay()
	b.pay(order, "ch_1")
	lines := charges(order, "ch_1", "ch_2")
	b.bank.shows(append(lines, payments.BankLine{ChargeID: "ch_3", Account: "deniz"}), nil)
	// Stripe shows what was there before the reset too; only what belongs to our orders is ours.
	for account, want := range map[string]struct{ bank, ledger int }{
		"": {2, 1}, "ayse": {2, 1}, "deniz": {0, 0}, "nobody": {0, 0},
	} {
		got, err := b.Statement(t.Context(), account)
		if err != nil || len(got.Bank.Lines) != want.bank || len(got.Ledger.Lines) != want.ledger {
			t.Errorf("of %q: %+v, %v", account, got, err)
		}
		if got.Bank.Lines == nil || got.Ledger.Lines == nil {
			t.Errorf("of %q an empty side would be null", account)
		}
	}
	got, err := b.Statement(t.Context(), "ayse")
	if err != nil {
		t.Fatal(err)
	}
	want := payments.LedgerLine{
		OrderID: order.ID, Status: payments.OrderPaid, Amount: 42000, Currency: payments.TRY,
		ChargeID: "ch_1", Points: 420, Receipts: 1,
	}
	if diff := cmp.Diff(payments.Statement{
		Bank:   payments.Lines[payments.BankLine]{Lines: lines},
		Ledger: payments.Lines[payments.LedgerLine]{Lines: []payments.LedgerLine{want}},
	}, got); diff != "" {
		t.Error(diff)
	}
	b.bank.shows(nil, payments.ErrUnavailable)
	_, err = b.Statement(t.Context(), "")
	wantError(t, err, payments.ErrUnavailable)
}

// TestTheBooksOfTestModeBeginShortlyBeforeTheReset: Stripe forgets nothing; the emulator does, and its clock may
// be anywhere.
func TestTheBooksOfTestModeBeginShortlyBeforeTheReset(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, err := b.Statement(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	_, resetAt, err := b.Store.Clock(t.Context())
	if err != nil || !b.bank.askedSince().Equal(resetAt.Add(-time.Hour)) {
		t.Errorf("asked since %v, %v, want an hour before %v", b.bank.askedSince(), err, resetAt)
	}
	b.Emulator = lab.NewEmulator("http://127.0.0.1:1", "sk_test_1")
	if _, err := b.Statement(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if !b.bank.askedSince().Equal(time.Unix(0, 0)) {
		t.Errorf("asked the emulator since %v", b.bank.askedSince())
	}
}
