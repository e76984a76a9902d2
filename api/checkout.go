package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"example.com/doublecharge/api/idempotency"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// checkoutRequest is what a customer may say. The server prices it.
type checkoutRequest struct {
	Currency      string          `json:"currency"`
	Items         []payments.Item `json:"items"`
	PaymentMethod string          `json:"payment_method"`
}

// checkout is the route's idempotency layer: it writes order, attempt, outbox row and stored answer
// in one commit. The card is not charged here; the answer is 202.
func (s *Server) checkout() http.Handler {
	return &idempotency.Layer[payments.Checkout]{
		Prepare: s.prepareCheckout,
		Save:    s.store.SaveCheckout,
		Answers: s.store,
		Scope:   accountOf,
		Fail:    s.fail,
		Probe:   s.probe,
		Now:     s.now,
	}
}

func (s *Server) prepareCheckout(r *http.Request) (idempotency.Prepared[payments.Checkout], error) {
	var none idempotency.Prepared[payments.Checkout]
	if s.lab != nil && s.lab.Resetting() {
		return none, fmt.Errorf("%w: the lab is being reset", payments.ErrUnavailable)
	}
	var request checkoutRequest
	if err := decode(r, &request); err != nil {
		return none, err
	}
	order, err := s.newOrder(r, request)
	if err != nil {
		return none, err
	}
	body, err := json.Marshal(order)
	if err != nil {
		return none, fmt.Errorf("encode the order: %w", err)
	}
	canonical, err := json.Marshal(request)
	if err != nil {
		return none, fmt.Errorf("encode the request: %w", err)
	}
	return idempotency.Prepared[payments.Checkout]{
		Work:   payments.Checkout{Order: order},
		Status: http.StatusAccepted,
		Headers: map[string]string{
			"Content-Type": "application/json", "Location": "/v1/orders/" + order.ID,
		},
		Body:      append(body, '\n'),
		Canonical: canonical,
		Subject: step.Subject{
			OrderID: order.ID, MessageID: order.Attempts[0].MessageID, Account: order.Account,
		},
	}, nil
}

// newOrder prices the request and mints the ids: one for the order, one for its first attempt, which
// becomes the message id.
func (s *Server) newOrder(r *http.Request, request checkoutRequest) (payments.Order, error) {
	if request.Currency == "" {
		return payments.Order{}, payments.InvalidField("currency", "is missing")
	}
	currency, err := payments.ParseCurrency(request.Currency)
	if err != nil {
		return payments.Order{}, payments.InvalidField("currency", "must be one of try, eur, usd, jpy, kwd")
	}
	total, err := payments.Price(request.Items, currency)
	if err != nil {
		return payments.Order{}, err
	}
	if err := payments.CheckCard(request.PaymentMethod); err != nil {
		return payments.Order{}, err
	}
	return payments.Order{
		ID: s.newID(), Account: accountOf(r), Status: payments.OrderPending,
		Amount: total.Minor, Currency: currency, Items: request.Items,
		Attempts: []payments.Attempt{{
			MessageID: s.newID(), PaymentMethod: request.PaymentMethod, Status: payments.AttemptOpen,
		}},
		CreatedAt:   s.now().UTC().Truncate(time.Microsecond), // As fine as the database keeps it.
		Traceparent: traceparent(r),
	}, nil
}

var traceContext = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

// traceparent takes the caller's W3C trace context, if it is well-formed.
func traceparent(r *http.Request) string {
	if value := r.Header.Get("Traceparent"); traceContext.MatchString(value) {
		return value
	}
	return ""
}
