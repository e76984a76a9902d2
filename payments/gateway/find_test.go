package gateway_test

import (
	"errors"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/stripetest"
)

func TestFindTellsWhatAnEarlierCallCameTo(t *testing.T) {
	t.Parallel()
	g, sent := connect(t, stripetest.NewServer(t).URL)
	good, bad := job("good"), job("bad")
	bad.PaymentMethod = "pm_card_visa_chargeDeclinedLostCard"
	want := map[string]payments.Outcome{}
	for _, j := range []payments.ChargeJob{good, bad} {
		outcome, err := g.Charge(t.Context(), j, payments.Key(j.MessageID))
		if err != nil {
			t.Fatal(err)
		}
		want[j.MessageID] = outcome
	}
	before := sent.calls.Load()
	for _, j := range []payments.ChargeJob{good, bad} {
		got, found, err := g.Find(t.Context(), j)
		if err != nil || !found || got != want[j.MessageID] {
			t.Errorf("%s: got %+v, %v, %v, want %+v", j.MessageID, got, found, err, want[j.MessageID])
		}
	}
	if got, found, err := g.Find(t.Context(), job("never")); err != nil || found || got != (payments.Outcome{}) {
		t.Errorf("a job that was never charged: got %+v, %v, %v", got, found, err)
	}
	if n := sent.calls.Load() - before; n != 3 {
		t.Errorf("%d requests for three look-ups", n)
	}
}

// TestFindReadsBeyondTheFirstPage: a list has at most a hundred payments on a page.
func TestFindReadsBeyondTheFirstPage(t *testing.T) {
	t.Parallel()
	bank := stripetest.NewServer(t)
	g, _ := connect(t, bank.URL)
	var first payments.Outcome
	for i := range 101 {
		outcome, err := g.Charge(t.Context(), job("m"+strconv.Itoa(i)), payments.NoKey)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = outcome
		}
	}
	got, found, err := g.Find(t.Context(), job("m0"))
	if err != nil || !found || got != first {
		t.Errorf("got %+v, %v, %v, want %+v", got, found, err, first)
	}
	lines, err := g.Charges(t.Context(), time.Unix(0, 0))
	if err != nil || len(lines) != 101 || lines[0].MessageID != "m0" || lines[100].MessageID != "m100" {
		t.Errorf("the statement has %d lines, %v, want all 101, oldest first", len(lines), err)
	}
}

// TestFindLooksNoFurtherBackThanTheJob leaves an hour for two clocks that do not agree.
func TestFindLooksNoFurtherBackThanTheJob(t *testing.T) {
	t.Parallel()
	g, _ := connect(t, stripetest.NewServer(t).URL)
	if _, err := g.Charge(t.Context(), job("m1"), "m1"); err != nil {
		t.Fatal(err)
	}
	for made, want := range map[time.Duration]bool{30 * time.Minute: true, 2 * time.Hour: false} {
		j := job("m1")
		j.CreatedAt = j.CreatedAt.Add(made)
		if _, found, err := g.Find(t.Context(), j); err != nil || found != want {
			t.Errorf("a job made %v after its charge: found %v, %v, want %v", made, found, err, want)
		}
	}
}

func TestFindRefusesLiveMode(t *testing.T) {
	t.Parallel()
	for name, intent := range map[string]string{
		"charged":  `"status":"succeeded","latest_charge":"ch_1"`,
		"declined": `"status":"requires_payment_method","last_payment_error":{"code":"card_declined","charge":"ch_1"}`,
	} {
		g, _ := connect(t, strange(t, http.StatusOK, "application/json",
			`{"object":"list","url":"/v1/payment_intents",`+
				`"has_more":false,"data":[{"id":"pi_1","livemode":true,"metadata":{"message_id":"m1"},`+intent+`}]}`))
		if _, found, err := g.Find(t.Context(), job("m1")); found || !errors.Is(err, payments.ErrHopeless) {
			t.Errorf("%s: found %v, %v, want it refused", name, found, err)
		}
	}
}

func TestChargesIsTheBanksStatement(t *testing.T) {
	t.Parallel()
	g, _ := connect(t, stripetest.NewServer(t).URL)
	good, bad := job("good"), job("bad")
	bad.PaymentMethod = "pm_card_chargeDeclined"
	for _, j := range []payments.ChargeJob{good, bad} {
		if _, err := g.Charge(t.Context(), j, payments.NoKey); err != nil {
			t.Fatal(err)
		}
	}
	got, err := g.Charges(t.Context(), time.Now().Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	want := []payments.BankLine{
		{
			OrderID: "order-of-good", MessageID: "good", Account: "ayse", Amount: 42000, Currency: "try", Last4: "4242",
			Status: "succeeded",
		},
		{
			OrderID: "order-of-bad", MessageID: "bad", Account: "ayse", Amount: 42000, Currency: "try", Last4: "0002",
			Status: "failed",
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(payments.BankLine{}, "ChargeID", "At")); diff != "" {
		t.Errorf("statement (-want +got):\n%s", diff)
	}
	later, err := g.Charges(t.Context(), time.Now().Add(time.Hour))
	if err != nil || len(later) != 0 {
		t.Errorf("from an hour ahead on: %v, %v", later, err)
	}
}
