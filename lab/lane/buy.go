package lane

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"example.com/doublecharge/payments"
)

// What is bought: 420 lira of coffee by Ayşe, in one trace. Two orders of a run differ in nothing but
// their ids, as an honest second purchase may.
const (
	purchase    = `{"currency":"try","items":[{"sku":"filter-coffee","quantity":1}],"payment_method":"pm_card_visa"}`
	customer    = "Bearer ck_demo_ayse"
	traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
)

// buy checks out over HTTP, as the page does: with a key that is kept over every retry.
func (l *Lane) buy(ctx context.Context, runID string, orders int) ([]string, error) {
	var ids []string
	for i := range orders {
		id, err := l.checkout(ctx, fmt.Sprintf("%s-%d", runID, i+1))
		if err != nil {
			return nil, fmt.Errorf("buy: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// checkout tries again with the same key while the answer is lost or the api is being started anew.
func (l *Lane) checkout(ctx context.Context, key string) (orderID string, err error) {
	pace := backoff.NewConstantBackOff(50 * time.Millisecond)
	return backoff.Retry(ctx, func() (string, error) { return l.post(ctx, key) },
		backoff.WithBackOff(pace), backoff.WithMaxElapsedTime(quietWait))
}

func (l *Lane) post(ctx context.Context, key string) (orderID string, err error) {
	url := l.base + "/v1/checkouts"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(purchase))
	if err != nil {
		return "", backoff.Permanent(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", customer)
	request.Header.Set("Idempotency-Key", key)
	request.Header.Set("Traceparent", traceparent)
	response, err := l.client.Do(request)
	if err != nil {
		return "", fmt.Errorf("%w: %w", payments.ErrUnknown, err)
	}
	defer func() { _ = response.Body.Close() }()
	var order payments.Order
	decodeErr := json.NewDecoder(response.Body).Decode(&order)
	switch {
	case response.StatusCode == http.StatusAccepted && decodeErr == nil:
		return order.ID, nil
	case response.StatusCode >= 500, response.StatusCode == http.StatusConflict, decodeErr != nil:
		return "", fmt.Errorf("%w: the api answered %s", payments.ErrUnknown, response.Status)
	default:
		return "", backoff.Permanent(fmt.Errorf("the api answered %s", response.Status))
	}
}
