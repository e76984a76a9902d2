package payments_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
)

// paidOrder is an order of 420 lira as the default strategy leaves it.
func paidOrder() payments.Order {
	return payments.Order{
		Status: payments.OrderPaid, Amount: 42000, Currency: payments.TRY, Points: 420, Receipts: 1,
		Attempts: []payments.Attempt{{Status: payments.AttemptPaid, ChargeID: "ch_1"}},
	}
}

func charged(ids ...string) []payments.BankLine {
	var lines []payments.BankLine
	for _, id := range ids {
		lines = append(lines, payments.BankLine{ChargeID: id, Amount: 42000, Status: "succeeded"})
	}
	return lines
}

func declined() payments.BankLine {
	return payments.BankLine{ChargeID: "ch_no", Amount: 42000, Status: "failed"}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	open := payments.Order{
		Status: payments.OrderPending, Amount: 42000, Currency: payments.TRY,
		Attempts: []payments.Attempt{{Status: payments.AttemptOpen}},
	}
	failed := open
	failed.Status = payments.OrderFailed
	failed.Attempts = []payments.Attempt{{Status: payments.AttemptFailed, ChargeID: "ch_no"}}
	tooManyPoints := paidOrder()
	tooManyPoints.Points = 840
	for name, c := range map[string]struct {
		order         payments.Order
		bank          []payments.BankLine
		early, silent bool // not quiet yet; the bank could not be asked
		want          payments.VerdictName
		charges       int
		amount        int64
		expected      int
		right         bool
		ledger        string
	}{
		"one charge, all right": {
			order: paidOrder(), bank: charged("ch_1"),
			want: payments.ChargedOnce, charges: 1, amount: 42000, expected: 1, right: true, ledger: "agrees",
		},
		"two charges": {
			order: paidOrder(), bank: charged("ch_1", "ch_2"),
			want: payments.DoubleCharged, charges: 2, amount: 84000, expected: 1, ledger: "missing-charge",
		},
		"two charges are final, even before all is quiet": {
			order: paidOrder(), bank: charged("ch_1", "ch_2"), early: true,
			want: payments.DoubleCharged, charges: 2, amount: 84000, expected: 1, ledger: "missing-charge",
		},
		"one charge, but points twice": {
			order: tooManyPoints, bank: charged("ch_1"),
			want: payments.ChargedOnce, charges: 1, amount: 42000, expected: 1, ledger: "agrees",
		},
		"charged, and our books do not know": {
			order: open, bank: charged("ch_1"),
			want: payments.ChargedOnce, charges: 1, amount: 42000, expected: 1, ledger: "missing-charge",
		},
		"one charge may be followed by another": {
			order: paidOrder(), bank: charged("ch_1"), early: true,
			want: payments.Pending, charges: 1, amount: 42000, expected: 1, right: true, ledger: "agrees",
		},
		"nothing yet":   {order: open, early: true, want: payments.Pending, expected: 1, ledger: "agrees"},
		"never charged": {order: open, want: payments.NotCharged, expected: 1, ledger: "agrees"},
		"paid by our books alone": {
			order: paidOrder(), want: payments.NotCharged, expected: 1, ledger: "extra-charge",
		},
		"another charge than the one in our books": {
			order: paidOrder(), bank: charged("ch_2"),
			want: payments.ChargedOnce, charges: 1, amount: 42000, expected: 1, right: true, ledger: "missing-charge",
		},
		"declined": {
			order: failed, bank: []payments.BankLine{declined()},
			want: payments.DeclinedOnce, right: true, ledger: "agrees",
		},
		"declined, and our books do not know": {
			order: open, bank: []payments.BankLine{declined()}, want: payments.DeclinedOnce, ledger: "agrees",
		},
		"declined first, charged then": {
			order: paidOrder(), bank: append([]payments.BankLine{declined()}, charged("ch_1")...),
			want: payments.ChargedOnce, charges: 1, amount: 42000, expected: 1, right: true, ledger: "agrees",
		},
		"the bank does not answer": {
			order: paidOrder(), silent: true, want: payments.UnknownYet, expected: 1, ledger: "unknown",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := payments.Judge(payments.Evidence{
				Order: c.order, Bank: c.bank, BankAnswered: !c.silent, Quiet: !c.early,
				Deliveries: 3, Requests: 2, Replayed: 1,
			})
			if right := got.Effects.Right(); right != c.right {
				t.Errorf("all effects right: %v, want %v: %+v", right, c.right, got.Effects)
			}
			got.Effects = payments.Effects{}
			want := payments.Verdict{
				Verdict: c.want, Charges: c.charges, Expected: c.expected, AmountCharged: c.amount, Ledger: c.ledger,
				Deliveries: 3, Requests: 2, Replayed: 1,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// TestJudgeShowsEachEffectForItself spoils one effect at a time.
func TestJudgeShowsEachEffectForItself(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(*payments.Evidence)
		ok    func(payments.Effects) *bool
	}{
		{"charge", func(e *payments.Evidence) { e.Bank = nil }, func(e payments.Effects) *bool { return &e.Charge.OK }},
		{
			"status", func(e *payments.Evidence) { e.Order.Status = payments.OrderPending },
			func(e payments.Effects) *bool { return &e.Status.OK },
		},
		{
			"points", func(e *payments.Evidence) { e.Order.Points++ },
			func(e payments.Effects) *bool { return &e.Points.OK },
		},
		{
			"receipt", func(e *payments.Evidence) { e.Order.Receipts = 2 },
			func(e payments.Effects) *bool { return &e.Receipt.OK },
		},
	} {
		evidence := payments.Evidence{Order: paidOrder(), Bank: charged("ch_1"), BankAnswered: true, Quiet: true}
		if effects := payments.Judge(evidence).Effects; !effects.Right() {
			t.Fatalf("unspoilt: %+v", effects)
		}
		c.spoil(&evidence)
		effects := payments.Judge(evidence).Effects
		if effects.Right() || *c.ok(effects) {
			t.Errorf("a wrong %s is not seen: %+v", c.name, effects)
		}
	}
}
