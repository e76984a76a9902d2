// Package gateway is the adapter on stripe-go. It knows three outcomes of a charge: charged, declined,
// and unknown, and never reports the third as one of the others.
//
// One code path serves the emulator and Stripe's test mode; only the base URL differs. The library's
// own retries are off, because they would hide what this project shows, and because they do not cover
// what matters: with a JSON body it retries neither 409 nor 500 (measured with v82.5.1).
package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/stripe/stripe-go/v82"

	"example.com/doublecharge/payments"
)

// timeout bounds one call. It is far below the broker's consumer timeout of 30 minutes, so a call that
// hangs ends long before the broker hands the job to somebody else.
const timeout = 20 * time.Second

// Config says which bank to talk to.
type Config struct {
	// Key is a test key; [CheckKey] accepts it.
	Key string
	// BaseURL is the emulator's address. Defaults to Stripe.
	BaseURL string
	// Transport makes the calls. Defaults to the standard one.
	Transport http.RoundTripper
}

// Gateway charges cards at the bank.
type Gateway struct {
	client *stripe.Client
}

// New makes a gateway. It refuses a key that is not a test key.
func New(c Config) (*Gateway, error) {
	if err := CheckKey(c.Key); err != nil {
		return nil, err
	}
	backend := &stripe.BackendConfig{
		HTTPClient:        &http.Client{Timeout: timeout, Transport: c.Transport},
		MaxNetworkRetries: new(int64(0)),
		EnableTelemetry:   new(false), // It would tell Stripe this machine's name.
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	if c.BaseURL != "" {
		backend.URL = stripe.String(c.BaseURL)
	}
	backends := stripe.NewBackendsWithConfig(backend)
	return &Gateway{stripe.NewClient(c.Key, stripe.WithBackends(backends))}, nil
}

// Charge charges the job's card. The error wraps [payments.ErrUnknown] when nobody can tell what
// happened, and [payments.ErrHopeless] when the bank refused the request itself and always will.
func (g *Gateway) Charge(ctx context.Context, job payments.ChargeJob, key payments.Key) (payments.Outcome, error) {
	if job.MessageID == "" {
		return payments.Outcome{}, fmt.Errorf("%w: a job without a message id", payments.ErrHopeless)
	}
	intent, err := g.client.V1PaymentIntents.Create(ctx, chargeParams(job, key))
	if err != nil {
		return classify(err)
	}
	return outcomeOf(intent)
}

// chargeParams is made from the message alone: one changed parameter under the same key would be
// refused as another request.
func chargeParams(job payments.ChargeJob, key payments.Key) *stripe.PaymentIntentCreateParams {
	params := &stripe.PaymentIntentCreateParams{
		Amount:             new(job.Amount),
		Currency:           stripe.String(string(job.Currency)),
		PaymentMethod:      stripe.String(job.PaymentMethod),
		PaymentMethodTypes: []*string{stripe.String("card")},
		Confirm:            new(true),
		OffSession:         new(true),
		Description:        stripe.String("Order " + job.OrderID),
		Metadata: map[string]string{
			"order_id": job.OrderID, "message_id": job.MessageID, "account": job.Account,
		},
	}
	if key != payments.NoKey {
		params.SetIdempotencyKey(string(key))
	} // Without one, the library sends a new random key on every call.
	return params
}

func outcomeOf(intent *stripe.PaymentIntent) (payments.Outcome, error) {
	switch {
	case intent.Livemode:
		return payments.Outcome{}, fmt.Errorf("%w: the bank answered in live mode", payments.ErrHopeless)
	case intent.Status == stripe.PaymentIntentStatusSucceeded && intent.LatestCharge != nil:
		return payments.Outcome{ChargeID: intent.LatestCharge.ID}, nil
	default:
		return payments.Outcome{}, fmt.Errorf("%w: the payment is %s", payments.ErrUnknown, intent.Status)
	}
}

// Find looks the job up at the bank by our own ids, among the payments that were made since it was
// created. Search would not do: it lags by up to an hour.
func (g *Gateway) Find(ctx context.Context, job payments.ChargeJob) (payments.Outcome, bool, error) {
	params := &stripe.PaymentIntentListParams{CreatedRange: &stripe.RangeQueryParams{
		GreaterThanOrEqual: job.CreatedAt.Add(-time.Hour).Unix(), // The two clocks need not agree.
	}}
	params.Limit = new(int64(100))
	for intent, err := range g.client.V1PaymentIntents.List(ctx, params) {
		if err != nil {
			_, err = classify(err)
			return payments.Outcome{}, false, err
		}
		if intent.Metadata["message_id"] != job.MessageID {
			continue
		}
		outcome, err := found(intent)
		return outcome, err == nil, err
	}
	return payments.Outcome{}, false, nil
}

// found is what an earlier call came to. A declined payment waits for another card.
func found(intent *stripe.PaymentIntent) (payments.Outcome, error) {
	last := intent.LastPaymentError
	if last != nil && !intent.Livemode && intent.Status == stripe.PaymentIntentStatusRequiresPaymentMethod {
		return payments.Outcome{ChargeID: last.ChargeID, Declined: declineCode(last)}, nil
	}
	return outcomeOf(intent)
}

// classify turns the library's error into an outcome or an error. The library's own text is never
// passed on: it is the whole answer, client secret included.
func classify(err error) (payments.Outcome, error) {
	var bank *stripe.Error
	if !errors.As(err, &bank) {
		// A broken connection, a time-out, an answer that is not JSON: the charge may exist.
		return payments.Outcome{}, fmt.Errorf("%w: no readable answer: %w", payments.ErrUnknown, reason(err))
	}
	said := fmt.Errorf("the bank said %d %s %s (%s)", bank.HTTPStatusCode, bank.Type, bank.Code, bank.RequestID)
	switch {
	case bank.Type == stripe.ErrorTypeCard:
		return payments.Outcome{ChargeID: bank.ChargeID, Declined: declineCode(bank)}, nil
	case bank.HTTPStatusCode == http.StatusBadRequest, bank.HTTPStatusCode == http.StatusNotFound:
		return payments.Outcome{}, fmt.Errorf("%w: %w", payments.ErrHopeless, said)
	default: // 409 in flight, 429, 5xx, and 401 until the key is put right.
		return payments.Outcome{}, fmt.Errorf("%w: %w", payments.ErrUnknown, said)
	}
}

// declineCode is never empty, because an empty one would mean that the card was charged.
func declineCode(bank *stripe.Error) string {
	return cmp.Or(string(bank.DeclineCode), string(bank.Code), string(stripe.ErrorCodeCardDeclined))
}

// reason is what went wrong on the wire, in words that hold nothing of the answer.
func reason(err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		return context.Canceled
	default:
		return errors.New("the connection broke, or the answer was no JSON")
	}
}
