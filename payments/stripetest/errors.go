package stripetest

import (
	"fmt"
	"net/http"
	"strings"
)

// apiError is the object under "error" in every answer that is not a 200.
type apiError struct {
	status int

	Charge        string         `json:"charge,omitempty"`
	Code          string         `json:"code,omitempty"`
	DeclineCode   string         `json:"decline_code,omitempty"`
	DocURL        string         `json:"doc_url,omitempty"`
	Message       string         `json:"message"`
	Param         string         `json:"param,omitempty"`
	PaymentIntent *PaymentIntent `json:"payment_intent,omitempty"`
	PaymentMethod *paymentMethod `json:"payment_method,omitempty"`
	RequestLogURL string         `json:"request_log_url,omitempty"`
	Type          string         `json:"type"`
}

func newError(status int, kind, code, message string) *apiError {
	err := &apiError{status: status, Type: kind, Code: code, Message: message}
	if code != "" {
		err.DocURL = "https://stripe.com/docs/error-codes/" + strings.ReplaceAll(code, "_", "-")
	}
	return err
}

// invalid is the caller's mistake. Idempotency keys do not remember it.
func invalid(code, param, format string, args ...any) *apiError {
	err := newError(http.StatusBadRequest, "invalid_request_error", code, fmt.Sprintf(format, args...))
	err.Param = param
	return err
}

func noSuch(object, param, id string) *apiError {
	err := invalid("resource_missing", param, "No such %s: '%s'", object, id)
	err.status = http.StatusNotFound
	return err
}

func noSuchRoute(method, path string) *apiError {
	err := invalid("", "", "Unrecognized request URL (%s: %s). Please see https://stripe.com/docs.", method, path)
	err.status = http.StatusNotFound
	return err
}

func unauthorized(message string) *apiError {
	return newError(http.StatusUnauthorized, "invalid_request_error", "", message)
}

func internal(message string) *apiError {
	return newError(http.StatusInternalServerError, "api_error", "", message)
}

// body is the answer that carries the error, with a link to the request as the Dashboard would show it.
func (e *apiError) body(requestID string) []byte {
	shown := *e
	shown.RequestLogURL = "https://dashboard.stripe.com/test/logs/" + requestID
	return encode(map[string]any{"error": &shown})
}
