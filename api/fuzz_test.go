package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"example.com/doublecharge/api"
	"example.com/doublecharge/payments"
)

// accepting is a store that takes everything and keeps the last checkout.
type accepting struct {
	api.Store
	last *payments.Checkout
}

func (a accepting) SaveCheckout(_ context.Context, _ payments.Answer, c payments.Checkout) error {
	*a.last = c
	return nil
}

// FuzzCheckout sends any body. It is either refused with a problem and nothing is saved, or it says,
// to a lenient reader too, exactly what is saved.
func FuzzCheckout(f *testing.F) {
	for _, seed := range []string{
		coffee, "", "null", "[]", "{}", coffee + coffee, strings.Repeat("[", 11000), "{\"currency\":\"\xff\"}",
		`{"currency":"try","currency":"eur","items":[],"payment_method":"pm_card_visa"}`,
		`{"items":[{"sku":"espresso","quantity":1e2}],"currency":"jpy","payment_method":"pm_card_visa"}`,
		`{"items":[{"quantity":3,"sku":"gift\u002dcard"}],"currency":"jpy","payment_method":"pm_card_visa"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var saved payments.Checkout
		server := api.New(api.Config{Store: accepting{last: &saved}, Log: slog.New(slog.DiscardHandler)})
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/checkouts", bytes.NewReader(body))
		r.Header = http.Header{
			"Content-Type": {"application/json"}, "Authorization": {"Bearer ck_demo_ayse"}, "Idempotency-Key": {"k"},
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != http.StatusAccepted {
			if w.Code < 400 || w.Code > 499 || saved.Order.ID != "" {
				t.Fatalf("%d %s, saved %+v", w.Code, w.Body, saved)
			}
			reply{w.Code, w.Header(), w.Body.String()}.problem(t)
			return
		}
		var said struct {
			Currency      payments.Currency
			Items         []payments.Item
			PaymentMethod string `json:"payment_method"`
		}
		if err := json.Unmarshal(body, &said); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		order := saved.Order
		total, err := payments.Price(said.Items, said.Currency)
		if err != nil || total != order.Total() || !slices.Equal(said.Items, order.Items) ||
			said.PaymentMethod != order.Attempts[0].PaymentMethod {
			t.Fatalf("said %+v (%v, %v), saved %+v", said, total, err, order)
		}
	})
}
