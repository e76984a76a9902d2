package stripetest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/doublecharge/payments/stripetest"
)

const otherParameters = "Keys for idempotent requests can only be used with the same parameters they were first " +
	"used with. Try using a key other than 'k' if you meant to execute a different request."

func TestReplay(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	first, again := bank.create(t, "k", payment()), bank.create(t, "k", payment())
	first.wants(t, http.StatusOK, nil)
	if again.status != first.status || again.body != first.body {
		t.Errorf("replay differs:\n%s\n%s", first.body, again.body)
	}
	id := first.header.Get("Request-Id")
	if id == "" || again.header.Get("Request-Id") == id || again.header.Get("Request-Id") == "" {
		t.Errorf("Request-Id %q then %q, want two different", id, again.header.Get("Request-Id"))
	}
	for name, want := range map[string][2]string{
		"Idempotency-Key":     {"k", "k"},
		"Original-Request":    {id, id},
		"Idempotent-Replayed": {"", "true"},
		"Stripe-Should-Retry": {"", ""},
		"Stripe-Version":      {"2025-08-27.basil", "2025-08-27.basil"},
		"Content-Type":        {"application/json", "application/json"},
	} {
		if got := [2]string{first.header.Get(name), again.header.Get(name)}; got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if charges := server.Charges(); len(charges) != 1 {
		t.Errorf("%d charges, want 1", len(charges))
	}
}

func TestWithoutKeyEveryCallCharges(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	first, again := demo(server).create(t, "", payment()), demo(server).create(t, "", payment())
	if first.body == again.body || len(server.Charges()) != 2 {
		t.Errorf("%d charges, want 2", len(server.Charges()))
	}
	if got := again.header.Get("Original-Request"); got != "" {
		t.Errorf("Original-Request %q without a key", got)
	}
}

// stripe-go sends an empty header for SetIdempotencyKey(""): it protects from nothing.
func TestEmptyKeyIsNoKey(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	for range 2 {
		got, err := demo(server).do(t, http.MethodPost, "/v1/payment_intents", http.Header{
			"Content-Type": {"application/x-www-form-urlencoded"}, "Idempotency-Key": {""},
		}, payment())
		if err != nil {
			t.Fatal(err)
		}
		if _, echoed := got.header["Idempotency-Key"]; echoed {
			t.Error("an empty key was echoed")
		}
	}
	if got := len(server.Charges()); got != 2 {
		t.Errorf("%d charges, want 2", got)
	}
}

func TestDeclineIsRemembered(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	declined := payment("payment_method", "pm_card_chargeDeclined")
	first, again := bank.create(t, "k", declined), bank.create(t, "k", declined)
	if first.status != http.StatusPaymentRequired || again.status != first.status || again.body != first.body {
		t.Errorf("%d then %d:\n%s\n%s", first.status, again.status, first.body, again.body)
	}
	if again.header.Get("Idempotent-Replayed") != "true" || len(server.Charges()) != 1 {
		t.Errorf("the card was tried %d times, want once", len(server.Charges()))
	}
	bank.create(t, "k", payment()).wants(t, http.StatusBadRequest,
		map[string]any{"error.type": "idempotency_error"})
	bank.create(t, "new", payment()).wants(t, http.StatusOK, nil)
}

func TestValidationIsNotRemembered(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	refused := bank.create(t, "k", payment("amount", "1"))
	refused.wants(t, http.StatusBadRequest, map[string]any{"error.code": "amount_too_small"})
	if got := refused.header.Get("Original-Request"); got != "" {
		t.Errorf("Original-Request = %q on a call that was not executed", got)
	}
	client{url: bank.url}.create(t, "k", payment()).wants(t, http.StatusUnauthorized, nil)
	got := bank.create(t, "k", payment())
	got.wants(t, http.StatusOK, nil)
	if got.header.Get("Idempotent-Replayed") != "" {
		t.Error("replayed, want executed")
	}
}

func TestOtherParametersAndEndpoints(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	bank.create(t, "k", payment()).wants(t, http.StatusOK, nil)
	for _, form := range []string{
		payment("amount", "2001"), payment("metadata[order_id]", "o2"), payment("metadata[x]", "1"),
		payment("expand[]", "latest_charge"), payment("amount", ""),
	} {
		got := bank.create(t, "k", form)
		got.wants(t, http.StatusBadRequest, map[string]any{
			"error.type": "idempotency_error", "error.code": nil, "error.message": otherParameters,
		})
		if got.header.Get("Idempotent-Replayed") != "" || got.header.Get("Original-Request") != "" {
			t.Error("the mistake was sent as a replay")
		}
	}
	got := bank.send(t, http.MethodPost, "/v1/refunds", "k", payment())
	got.wants(t, http.StatusBadRequest, map[string]any{"error.type": "idempotency_error", "error.code": nil})
	for _, part := range []string{"only be used for the same endpoint", "/v1/refunds", "/v1/payment_intents", "'k'"} {
		if !strings.Contains(got.text(t, "error.message"), part) {
			t.Errorf("no %s in %s", part, got.body)
		}
	}
	if got := len(server.Charges()); got != 1 {
		t.Errorf("%d charges, want 1", got)
	}
}

func TestParametersInAnotherOrderAreTheSame(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	first := bank.create(t, "k",
		"amount=2000&currency=eur&payment_method_types[]=card&metadata[a]=1&metadata[b]=2")
	again := bank.create(t, "k",
		"metadata%5Bb%5D=2&metadata[a]=1&payment_method_types[0]=card&currency=eur&amount=2000")
	if first.status != http.StatusOK || again.body != first.body {
		t.Errorf("%s\n%s", first.body, again.body)
	}
}

// A name or value that holds separators is not another name or value.
func TestFingerprintKeepsNamesAndValuesApart(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	form := "amount=2000&currency=eur&metadata[a]=1%26metadata%5Bb%5D%3D2"
	bank.create(t, "k", form).wants(t, http.StatusOK, nil)
	bank.create(t, "k", "amount=2000&currency=eur&metadata[a]=1&metadata[b]=2").wants(t, http.StatusBadRequest, nil)
}

func TestKeyLength(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	bank.create(t, strings.Repeat("k", 255), payment()).wants(t, http.StatusOK, nil)
	bank.create(t, strings.Repeat("k", 256), payment()).wants(t, http.StatusBadRequest,
		map[string]any{"error.type": "invalid_request_error"})
}

func TestKeysMeanNothingOnReads(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	bank.send(t, http.MethodGet, "/v1/charges", "k", "").wants(t, http.StatusOK, map[string]any{"has_more": false})
	bank.create(t, "k", payment()).wants(t, http.StatusOK, nil)
	got := bank.send(t, http.MethodGet, "/v1/charges", "k", "")
	got.wants(t, http.StatusOK, map[string]any{"data.0.amount": 2000.0})
	if got.header.Get("Idempotent-Replayed") != "" {
		t.Error("a read was replayed")
	}
}

func TestKeysArePerAccount(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	demo(server).as("lane_1").create(t, "k", payment()).wants(t, http.StatusOK, nil)
	demo(server).as("lane_2").create(t, "k", payment("amount", "3000")).wants(t, http.StatusOK, nil)
	if got := len(server.Charges()); got != 2 {
		t.Errorf("%d charges, want 2", got)
	}
}

func TestKeyIsForgottenAfterADay(t *testing.T) {
	t.Parallel()
	started := time.Now()
	server := stripetest.NewServerWith(t, stripetest.Config{Now: func() time.Time { return started }})
	bank := demo(server)
	first := bank.create(t, "k", payment())
	server.Advance(24*time.Hour - time.Nanosecond)
	if got := bank.create(t, "k", payment()); got.body != first.body {
		t.Fatal("forgotten too early")
	}
	server.Advance(time.Nanosecond)
	again := bank.create(t, "k", payment("amount", "3000"))
	again.wants(t, http.StatusOK, map[string]any{"amount": 3000.0})
	if again.header.Get("Idempotent-Replayed") != "" || len(server.Charges()) != 2 {
		t.Errorf("%d charges, want the second one of the same key", len(server.Charges()))
	}
}
