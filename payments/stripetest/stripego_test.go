package stripetest_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v82"

	"example.com/doublecharge/payments/stripetest"
)

// sdk is stripe-go as a careful program sets it up: no retries of its own, no telemetry.
func sdk(t *testing.T, server *stripetest.TestServer) *stripe.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	backends := stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		URL:               stripe.String(server.URL),
		HTTPClient:        &http.Client{Transport: transport, Timeout: 10 * time.Second},
		MaxNetworkRetries: stripe.Int64(0),
		EnableTelemetry:   new(false),
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
	})
	return stripe.NewClient("sk_test_demo", stripe.WithBackends(backends))
}

func sdkPayment(key, card string) *stripe.PaymentIntentCreateParams {
	params := &stripe.PaymentIntentCreateParams{
		Amount: stripe.Int64(42000), Currency: stripe.String("try"), Confirm: new(true),
		PaymentMethod: stripe.String(card), PaymentMethodTypes: stripe.StringSlice([]string{"card"}),
		OffSession: new(true), Description: stripe.String("order o1"),
		Metadata: map[string]string{"order_id": "o1", "message_id": "m1"},
	}
	params.AddExpand("latest_charge")
	if key != "" {
		params.SetIdempotencyKey(key)
	}
	return params
}

func TestStripeGo(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := sdk(t, server)
	first, err := bank.V1PaymentIntents.Create(t.Context(), sdkPayment("m1", "pm_card_visa"))
	if err != nil {
		t.Fatal(err)
	}
	if first.Status != stripe.PaymentIntentStatusSucceeded || first.LatestCharge.Metadata["message_id"] != "m1" ||
		first.LatestCharge.PaymentMethodDetails.Card.Last4 != "4242" || first.LastResponse.RequestID == "" {
		t.Errorf("intent %+v", first)
	}
	again, err := bank.V1PaymentIntents.Create(t.Context(), sdkPayment("m1", "pm_card_visa"))
	if err != nil {
		t.Fatal(err)
	}
	if again.ID != first.ID || again.LastResponse.Header.Get("Idempotent-Replayed") != "true" ||
		again.LastResponse.IdempotencyKey != "m1" {
		t.Errorf("intent %s, headers %v", again.ID, again.LastResponse.Header)
	}
	if got := len(server.Charges()); got != 1 {
		t.Errorf("%d charges, want 1", got)
	}
	retrieved, err := bank.V1PaymentIntents.Retrieve(t.Context(), first.ID, nil)
	if err != nil || retrieved.Amount != 42000 {
		t.Errorf("retrieved %+v, %v", retrieved, err)
	}
}

// Without a key of one's own, stripe-go makes up a new one for every call: a redelivery pays again.
func TestStripeGoWithoutKeyChargesTwice(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := sdk(t, server)
	for range 2 {
		if _, err := bank.V1PaymentIntents.Create(t.Context(), sdkPayment("", "pm_card_visa")); err != nil {
			t.Fatal(err)
		}
	}
	requests := server.Requests()
	if len(server.Charges()) != 2 || requests[0].IdempotencyKey == "" ||
		requests[0].IdempotencyKey == requests[1].IdempotencyKey {
		t.Errorf("%d charges, requests %+v", len(server.Charges()), requests)
	}
}

func TestStripeGoErrors(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := sdk(t, server)
	create := func(key, card string) *stripe.Error {
		t.Helper()
		_, err := bank.V1PaymentIntents.Create(t.Context(), sdkPayment(key, card))
		var got *stripe.Error
		if !errors.As(err, &got) {
			t.Fatalf("error = %v", err)
		}
		return got
	}
	declined := create("m1", "pm_card_visa_chargeDeclinedInsufficientFunds")
	if cardErr := (*stripe.CardError)(nil); !errors.As(declined, &cardErr) {
		t.Errorf("%T, want a CardError", declined.Err)
	}
	if declined.DeclineCode != stripe.DeclineCodeInsufficientFunds || declined.Code != stripe.ErrorCodeCardDeclined ||
		declined.ChargeID == "" || declined.PaymentIntent == nil || declined.PaymentMethod == nil ||
		declined.PaymentIntent.Status != stripe.PaymentIntentStatusRequiresPaymentMethod {
		t.Errorf("decline %+v", declined)
	}
	misused := create("m1", "pm_card_visa")
	if kind := (*stripe.IdempotencyError)(nil); !errors.As(misused, &kind) || misused.HTTPStatusCode != 400 {
		t.Errorf("misuse %+v", misused)
	}
	if away := create("m2", "pm_card_authenticationRequired"); away.Code != stripe.ErrorCodeAuthenticationRequired {
		t.Errorf("off session %+v", away)
	}
}

func TestStripeGoPages(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := sdk(t, server)
	for i := range 7 {
		if _, err := bank.V1PaymentIntents.Create(t.Context(), sdkPayment(fmt.Sprint(i), "pm_card_visa")); err != nil {
			t.Fatal(err)
		}
	}
	intents := &stripe.PaymentIntentListParams{CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: 1}}
	intents.Limit = stripe.Int64(3)
	count, last := 0, ""
	for intent, err := range bank.V1PaymentIntents.List(t.Context(), intents) {
		if err != nil {
			t.Fatal(err)
		}
		count, last = count+1, intent.ID
	}
	if count != 7 {
		t.Errorf("%d intents, want 7", count)
	}
	for charge, err := range bank.V1Charges.List(t.Context(), &stripe.ChargeListParams{PaymentIntent: &last}) {
		if err != nil || charge.ID != server.Charges()[0].ID {
			t.Errorf("charge %+v, %v", charge, err)
		}
	}
}
