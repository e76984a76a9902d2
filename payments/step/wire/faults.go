package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"example.com/doublecharge/payments/step"
)

// What a caller sees of a connection that breaks, before the request has left or before its answer came.
var (
	errRequestLost  = errors.New("the connection broke before the request was sent")
	errResponseLost = errors.New("the connection broke before the answer came")
)

// Answers as Stripe and the gateways before it give them.
const (
	apiError    = `{"error":{"type":"api_error","message":"An error occurred (injected)."}}`
	rateLimited = `{"error":{"type":"invalid_request_error","code":"rate_limit",
		"message":"Too many requests (injected)."}}`
	keyInUse = `{"error":{"type":"idempotency_error","code":"idempotency_key_in_use",
		"message":"There is currently another in-progress request using this key (injected)."}}`
	gatewayPage = `<html><body><h1>500 Internal Server Error</h1></body></html>`
)

// send makes the call, or what the strike makes of it.
func (t Transport) send(r *http.Request, s step.Strike) (*http.Response, error) {
	switch s.Point {
	case step.StripeRequestLost:
		return nil, unsent(r, errRequestLost)
	case step.StripeError500:
		return instead(r, http.StatusInternalServerError, apiError)
	case step.StripeRateLimited:
		return instead(r, http.StatusTooManyRequests, rateLimited)
	case step.StripeKeyInUse:
		return instead(r, http.StatusConflict, keyInUse)
	case step.StripeResponseLost:
		if err := t.executed(r); err != nil {
			return nil, err
		}
		return nil, errResponseLost
	case step.StripeChargedThen500:
		if err := t.executed(r); err != nil {
			return nil, err
		}
		return answer(r, http.StatusInternalServerError, "text/html", gatewayPage), nil
	case step.StripeStored500:
		if err := t.armStored500(r); err != nil {
			return nil, unsent(r, err)
		}
	case step.StripeSlow:
		if err := wait(r.Context(), s.Duration); err != nil {
			return nil, unsent(r, err)
		}
	default: // Nothing strikes.
	}
	return t.Base.RoundTrip(r)
}

// executed makes the call and throws its answer away.
func (t Transport) executed(r *http.Request) error {
	response, err := t.Base.RoundTrip(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(response.Body, maxBody))
	return errors.Join(err, response.Body.Close())
}

// instead gives an answer to a request that never leaves.
func instead(r *http.Request, status int, body string) (*http.Response, error) {
	return answer(r, status, "application/json", body), unsent(r, nil)
}

func answer(r *http.Request, status int, kind, body string) *http.Response {
	return &http.Response{
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {kind}},
		ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

// unsent closes the body, as a transport must that does not send it.
func unsent(r *http.Request, err error) error {
	if r.Body == nil {
		return err
	}
	return errors.Join(err, r.Body.Close())
}

// armStored500 asks the emulator to execute this account's next call, and to keep a 500 under its key.
func (t Transport) armStored500(r *http.Request) error {
	order, err := json.Marshal(map[string]any{
		"kind": "error_500_after", "path": r.URL.Path, "times": 1, "account": accountOf(r),
	})
	if err != nil {
		return fmt.Errorf("encode the emulator's fault: %w", err)
	}
	knob := *r.URL
	knob.Path, knob.RawQuery = "/_emulator/faults", ""
	//nolint:gosec // The address that the call itself goes to.
	ask, err := http.NewRequestWithContext(r.Context(), http.MethodPost, knob.String(), bytes.NewReader(order))
	if err != nil {
		return fmt.Errorf("arm the emulator: %w", err)
	}
	ask.Header.Set("Content-Type", "application/json")
	response, err := t.Base.RoundTrip(ask)
	if err != nil {
		return fmt.Errorf("arm the emulator: %w", err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode/100 != 2 {
		return fmt.Errorf("arm the emulator: it answered %s", response.Status)
	}
	return nil
}

// accountOf is the part of the test key that names the emulator's account.
func accountOf(r *http.Request) string {
	key, _, isBasic := r.BasicAuth()
	if !isBasic {
		key = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	return strings.TrimPrefix(strings.TrimPrefix(key, "sk_test_"), "rk_test_")
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
