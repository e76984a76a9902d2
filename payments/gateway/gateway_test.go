package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/gateway"
	"example.com/doublecharge/payments/stripetest"
)

const secretKey = "sk_test_gatewaysecret"

func job(id string) payments.ChargeJob {
	return payments.ChargeJob{
		MessageID: id, OrderID: "order-of-" + id, Account: "ayse", Amount: 42000, Currency: payments.TRY,
		PaymentMethod: "pm_card_visa", CreatedAt: time.Now(),
	}
}

// counter counts the requests that leave for the bank, and what they carry.
type counter struct {
	calls atomic.Int32
	last  atomic.Pointer[http.Request]
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.calls.Add(1)
	c.last.Store(r)
	return http.DefaultTransport.RoundTrip(r)
}

func connect(t *testing.T, url string) (*gateway.Gateway, *counter) {
	t.Helper()
	transport := &counter{}
	g, err := gateway.New(gateway.Config{Key: secretKey, BaseURL: url, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return g, transport
}

func TestAGoodCardIsCharged(t *testing.T) {
	t.Parallel()
	bank := stripetest.NewServer(t)
	g, sent := connect(t, bank.URL)
	outcome, err := g.Charge(t.Context(), job("m1"), "m1")
	if err != nil || !outcome.Charged() {
		t.Fatalf("got %+v, %v, want it charged", outcome, err)
	}
	charges := bank.Charges()
	if len(charges) != 1 || charges[0].ID != outcome.ChargeID || charges[0].Amount != 42000 ||
		charges[0].Currency != "try" {
		t.Errorf("the bank shows %+v, we say %s", charges, outcome.ChargeID)
	}
	want := map[string]string{"order_id": "order-of-m1", "message_id": "m1", "account": "ayse"}
	if diff := cmp.Diff(want, charges[0].Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if n := sent.calls.Load(); n != 1 {
		t.Errorf("%d requests for one call", n)
	}
}

// TestEveryCardOfTheShopHasACertainOutcome: none of them is unknown to the bank.
func TestEveryCardOfTheShopHasACertainOutcome(t *testing.T) {
	t.Parallel()
	bank := stripetest.NewServer(t)
	g, sent := connect(t, bank.URL)
	declines := map[string]string{
		"pm_card_visa": "", "pm_card_mastercard": "",
		"pm_card_chargeDeclined":                           "generic_decline",
		"pm_card_visa_chargeDeclined":                      "generic_decline",
		"pm_card_chargeDeclinedInsufficientFunds":          "insufficient_funds",
		"pm_card_visa_chargeDeclinedInsufficientFunds":     "insufficient_funds",
		"pm_card_chargeDeclinedLostCard":                   "lost_card",
		"pm_card_visa_chargeDeclinedLostCard":              "lost_card",
		"pm_card_chargeDeclinedStolenCard":                 "stolen_card",
		"pm_card_visa_chargeDeclinedStolenCard":            "stolen_card",
		"pm_card_chargeDeclinedExpiredCard":                "expired_card",
		"pm_card_chargeDeclinedIncorrectCvc":               "incorrect_cvc",
		"pm_card_chargeDeclinedProcessingError":            "processing_error",
		"pm_card_visa_chargeDeclinedVelocityLimitExceeded": "card_velocity_exceeded",
		"pm_card_chargeDeclinedFraudulent":                 "fraudulent",
		"pm_card_chargeCustomerFail":                       "generic_decline",
		"pm_card_authenticationRequired":                   "authentication_required",
	}
	for i, card := range payments.Cards() {
		j := job("card-" + strconv.Itoa(i))
		j.PaymentMethod = card
		outcome, err := g.Charge(t.Context(), j, payments.Key(j.MessageID))
		if want, listed := declines[card]; err != nil || !listed || outcome.Declined != want {
			t.Errorf("%s: got %+v, %v, want declined as %q", card, outcome, err, want)
		}
		if outcome.ChargeID == "" {
			t.Errorf("%s: no charge id", card)
		}
	}
	if n := sent.calls.Load(); int(n) != len(payments.Cards()) {
		t.Errorf("%d requests for %d calls", n, len(payments.Cards()))
	}
}

func TestTheSameKeyChargesOnce(t *testing.T) {
	t.Parallel()
	bank := stripetest.NewServer(t)
	g, _ := connect(t, bank.URL)
	for _, card := range []string{"pm_card_visa", "pm_card_chargeDeclined"} {
		j := job("with " + card)
		j.PaymentMethod = card
		first, err := g.Charge(t.Context(), j, payments.Key(j.MessageID))
		second, errAgain := g.Charge(t.Context(), j, payments.Key(j.MessageID))
		if err != nil || errAgain != nil || first != second {
			t.Errorf("%s: %+v, %v and then %+v, %v", card, first, err, second, errAgain)
		}
	}
	if n := len(bank.Charges()); n != 2 {
		t.Errorf("the bank shows %d charges, want one for each card", n)
	}
}

// TestNoKeyIsAnotherKeyOnEveryCall is the double charge in its smallest form.
func TestNoKeyIsAnotherKeyOnEveryCall(t *testing.T) {
	t.Parallel()
	bank := stripetest.NewServer(t)
	g, _ := connect(t, bank.URL)
	for range 2 {
		if _, err := g.Charge(t.Context(), job("m1"), payments.NoKey); err != nil {
			t.Fatal(err)
		}
	}
	asked := bank.Requests()
	if len(asked) != 2 || len(bank.Charges()) != 2 {
		t.Fatalf("%d requests, %d charges, want two of each", len(asked), len(bank.Charges()))
	}
	if one, two := asked[0].IdempotencyKey, asked[1].IdempotencyKey; one == "" || one == two {
		t.Errorf("the keys are %q and %q, want two random ones", one, two)
	}
}

func TestAKeyOfAnotherPaymentIsHopeless(t *testing.T) {
	t.Parallel()
	g, sent := connect(t, stripetest.NewServer(t).URL)
	if _, err := g.Charge(t.Context(), job("m1"), "k"); err != nil {
		t.Fatal(err)
	}
	_, err := g.Charge(t.Context(), job("m2"), "k")
	wantError(t, err, payments.ErrHopeless)
	if n := sent.calls.Load(); n != 2 {
		t.Errorf("%d requests for two calls", n)
	}
}

func TestAJobWithoutAMessageIDNeverLeaves(t *testing.T) {
	t.Parallel()
	bank := stripetest.NewServer(t)
	g, sent := connect(t, bank.URL)
	_, err := g.Charge(t.Context(), job(""), payments.NoKey)
	wantError(t, err, payments.ErrHopeless)
	if sent.calls.Load() != 0 || len(bank.Requests()) != 0 {
		t.Error("the bank was asked")
	}
}

func TestOnlyTestKeysAreAccepted(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"", "sk_live_51Habcdefghijklmnop", "rk_live_51Habcdefghijklmnop", "pk_test_abc", "sk_test_", "rk_test_",
		" sk_test_abc", "SK_TEST_abc", "whsec_abc",
	} {
		_, err := gateway.New(gateway.Config{Key: key})
		if !errors.Is(err, gateway.ErrKey) {
			t.Errorf("%q: got %v, want it refused", key, err)
		} else if key != "" && len(key) > 8 && strings.Contains(err.Error(), key) {
			t.Errorf("the error holds the key: %v", err)
		}
	}
	for _, key := range []string{"sk_test_abc", "rk_test_abc"} {
		if _, err := gateway.New(gateway.Config{Key: key}); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// wantError checks the kind of an error, and that its text holds nothing secret.
func wantError(tb testing.TB, err, kind error) {
	tb.Helper()
	if !errors.Is(err, kind) {
		tb.Errorf("got %v, want %v", err, kind)
		return
	}
	for _, secret := range []string{secretKey, "gatewaysecret", clientSecret, "client_secret", "pm_card_visa"} {
		if strings.Contains(err.Error(), secret) {
			tb.Errorf("the error holds %q: %v", secret, err)
		}
	}
}

func expired(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
