package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"example.com/doublecharge/api/idempotency"
	"example.com/doublecharge/payments"
)

// problem is an error as RFC 9457 wants it. Field names what is wrong, in the notation of the body.
type problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Field  string `json:"field,omitempty"`
}

// Errors of the HTTP layer itself.
var (
	errUnauthorized = errors.New("send Authorization: Bearer ck_demo_ayse, ck_demo_mert or ck_demo_alice")
	errMediaType    = errors.New("send Content-Type: application/json")
	errTooLarge     = errors.New("the body is over 64 KiB")
	errSyntax       = errors.New("the body is not valid JSON")
	errForbidden    = errors.New("forbidden")
	errTimeout      = errors.New("not quiet in time")
	errMethod       = errors.New("the path has other methods")
)

// kinds says what each kind of error is over HTTP, in the order in which they are looked for.
func kinds() []struct {
	is     error
	status int
	title  string
} {
	return []struct {
		is     error
		status int
		title  string
	}{
		{errUnauthorized, http.StatusUnauthorized, "Unknown account"},
		{errMediaType, http.StatusUnsupportedMediaType, "Unsupported content type"},
		{errTooLarge, http.StatusRequestEntityTooLarge, "Body too large"},
		{errSyntax, http.StatusBadRequest, "Malformed body"},
		{errForbidden, http.StatusForbidden, "Forbidden"},
		{errMethod, http.StatusMethodNotAllowed, "Method not allowed"},
		{errTimeout, http.StatusGatewayTimeout, "Not quiet in time"},
		{idempotency.ErrKeyMissing, http.StatusBadRequest, "Idempotency-Key is missing"},
		{idempotency.ErrKeyMalformed, http.StatusBadRequest, "Idempotency-Key is malformed"},
		{idempotency.ErrKeyReused, http.StatusUnprocessableEntity, "Idempotency-Key is already used"},
		{payments.ErrKeyInProgress, http.StatusConflict, "A request is outstanding for this Idempotency-Key"},
		{payments.ErrUnknown, http.StatusServiceUnavailable, "Outcome unknown: ask again with the same key"},
		{payments.ErrUnavailable, http.StatusServiceUnavailable, "Not available now"},
		{payments.ErrNotFound, http.StatusNotFound, "Not found"},
		{payments.ErrConflict, http.StatusConflict, "Not possible now"},
		{payments.ErrInvalid, http.StatusUnprocessableEntity, "Invalid request"},
	}
}

// fail is the one place where an error becomes an answer. Details of our own making are passed on;
// what came from a driver is logged and never sent.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problem{Title: "Internal error", Status: http.StatusInternalServerError}
	for _, kind := range kinds() {
		if errors.Is(err, kind.is) {
			p = problem{Title: kind.title, Status: kind.status}
			break
		}
	}
	var field *payments.FieldError
	switch {
	case errors.As(err, &field):
		p.Field, p.Detail = field.Field, field.Detail
	case p.Status < http.StatusInternalServerError && ours(err):
		p.Detail = err.Error()
	}
	switch p.Status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case http.StatusConflict, http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	if p.Status >= http.StatusInternalServerError && r.Context().Err() == nil { // Else the client hung up.
		s.log.WarnContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path,
			"status", p.Status, "error", err)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Content-Language", "en")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // A client that hung up needs no answer.
}

// ours says whether an error is made of nothing but the errors above, so that its text holds nothing
// of a driver.
func ours(err error) bool {
	switch wrapped := err.(type) { //nolint:errorlint // It walks the tree itself.
	case interface{ Unwrap() error }:
		return ours(wrapped.Unwrap())
	case interface{ Unwrap() []error }:
		return !slices.ContainsFunc(wrapped.Unwrap(), func(err error) bool { return !ours(err) })
	}
	for _, kind := range kinds() {
		if errors.Is(err, kind.is) {
			return true
		}
	}
	return false
}

// reply answers with JSON.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // A client that hung up needs no answer.
}
