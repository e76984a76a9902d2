package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.com/doublecharge/api"
	"example.com/doublecharge/payments"
)

func TestACheckoutIsAcceptedPricedAndKept(t *testing.T) {
	t.Parallel()
	committed := make(chan struct{}, 10)
	s := open(t, func(c *api.Config) { c.Committed = func() { committed <- struct{}{} } })
	body := `{"currency":"kwd","items":[{"sku":"espresso","quantity":2},{"sku":"grinder","quantity":1}],` +
		`"payment_method":"pm_card_mastercard"}`
	answer := s.buy(t, "ayse", "k", body)
	if answer.status != http.StatusAccepted || answer.header.Get("Content-Type") != "application/json" {
		t.Fatalf("got %d %s", answer.status, answer.body)
	}
	order := answer.order(t)
	if len(order.Attempts) != 1 {
		t.Fatalf("attempts: %+v", order.Attempts)
	}
	want := payments.Order{
		ID: order.ID, Status: payments.OrderPending, Amount: 2*850 + 40250, Currency: payments.KWD,
		Items: []payments.Item{{SKU: "espresso", Quantity: 2}, {SKU: "grinder", Quantity: 1}},
		Attempts: []payments.Attempt{{
			MessageID: order.Attempts[0].MessageID, PaymentMethod: "pm_card_mastercard", Status: payments.AttemptOpen,
		}},
		CreatedAt: order.CreatedAt,
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	for _, id := range []string{order.ID, order.Attempts[0].MessageID} {
		if parsed, err := uuid.Parse(id); err != nil || parsed.Version() != 7 {
			t.Errorf("id %q: %v, want a UUIDv7", id, err)
		}
	}
	if age := time.Since(order.CreatedAt); age < -time.Minute || age > time.Minute {
		t.Errorf("made at %v", order.CreatedAt)
	}
	location := answer.header.Get("Location")
	if location != "/v1/orders/"+order.ID {
		t.Errorf("Location: %q", location)
	}
	kept := s.do(t, http.MethodGet, location, "", from("ayse"))
	if kept.status != http.StatusOK || kept.body != answer.body {
		t.Errorf("what is kept is not what was answered:\n%s\n%s", kept.body, answer.body)
	}
	s.wantOrders(t, 1)
	if len(committed) != 1 {
		t.Errorf("the relay was woken %d times", len(committed))
	}
	if again := s.buy(t, "ayse", "k", body); again.status != http.StatusAccepted || len(committed) != 1 {
		t.Errorf("a replay: %d; the relay was woken %d times", again.status, len(committed))
	}
}

func TestTheTraceOfTheCallerIsTheOrders(t *testing.T) {
	t.Parallel()
	s := open(t)
	const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for sent, want := range map[string]string{
		good: good, "": "", "00-4bf9-00f0-01": "", strings.ToUpper(good): "", good + "-more": "", "x" + good: "",
	} {
		answer := s.do(t, http.MethodPost, "/v1/checkouts", coffee, from("ayse"),
			as("Idempotency-Key", uuid.NewString()), as("Traceparent", sent))
		order, err := s.store.Order(t.Context(), answer.order(t).ID, "ayse")
		if err != nil || order.Traceparent != want {
			t.Errorf("sent %q, kept %q, %v, want %q", sent, order.Traceparent, err, want)
		}
	}
}

func TestTheCatalogueIsOpenToAll(t *testing.T) {
	t.Parallel()
	answer := open(t).do(t, http.MethodGet, "/v1/products", "")
	want := `{"products":[` +
		`{"sku":"espresso","prices":{"eur":250,"jpy":500,"kwd":850,"try":9500,"usd":275}},` +
		`{"sku":"filter-coffee","prices":{"eur":820,"jpy":1200,"kwd":3100,"try":42000,"usd":995}},` +
		`{"sku":"grinder","prices":{"eur":11999,"jpy":19800,"kwd":40250,"try":499990,"usd":12999}},` +
		`{"sku":"gift-card","prices":{"eur":5000,"jpy":5000,"kwd":15000,"try":100000,"usd":5000}}]}` + "\n"
	if answer.status != http.StatusOK || answer.body != want {
		t.Errorf("got %d %s", answer.status, answer.body)
	}
}

// TestOnlyDemoAccountsMayBuy: the answer tells nothing of a wrong key, and nothing is logged of it.
func TestOnlyDemoAccountsMayBuy(t *testing.T) {
	t.Parallel()
	s := open(t)
	order := s.buy(t, "ayse", "k", coffee).order(t)
	for _, path := range []string{"/v1/orders", "/v1/orders/" + order.ID, "/v1/checkouts"} {
		method := http.MethodGet
		if path == "/v1/checkouts" {
			method = http.MethodPost
		}
		for _, authorization := range []string{
			"", "Bearer", "Bearer ", "Bearer ck_demo_", "Bearer ck_demo_eve", "Bearer ck_live_topsecret",
			"ck_demo_ayse", "Basic Y2tfZGVtb19heXNlOg==", "Bearer  ck_demo_ayse", "Bearer CK_DEMO_AYSE",
		} {
			edits := []func(*http.Request){as("Idempotency-Key", "another")}
			if authorization != "" {
				edits = append(edits, as("Authorization", authorization))
			}
			answer := s.do(t, method, path, coffee, edits...)
			if answer.status != http.StatusUnauthorized || answer.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s with %q: %d %s", path, authorization, answer.status, answer.body)
			}
			answer.problem(t)
			if strings.Contains(answer.body, "topsecret") || strings.Contains(answer.body, "eve") {
				t.Errorf("the answer repeats the key: %s", answer.body)
			}
		}
	}
	if text := s.logs.String(); text != "" {
		t.Errorf("logged: %s", text)
	}
}
