package stripetest

import (
	"errors"
	"io"
	"mime"
	"net/http"
)

// apiVersion is the version whose objects are emulated, and the default of a call without one.
const apiVersion = "2025-08-27.basil"

// maxBody leaves room for metadata at all its limits, percent-encoded.
const maxBody = 1 << 20

// serveAPI is the HTTP side of everything under /v1: headers in, headers out, one line in the log.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	call := Call{
		ID:     randomID("req"),
		Method: r.Method,
		Path:   r.URL.Path,
		Key:    r.Header.Get("Idempotency-Key"),
		At:     s.config.Now(),
	}
	answer, err := s.answer(w, r, &call)
	if err != nil {
		answer = Answer{Status: err.status, Body: err.body(call.ID)}
	}
	s.config.Logger.DebugContext(r.Context(), "request", "method", call.Method, "path", call.Path,
		"account", call.Account, "status", answer.Status, "request_id", call.ID)
	if answer.Status == 0 {
		panic(http.ErrAbortHandler) // The connection ends here, without a word.
	}
	writeAnswer(w, r, call, answer)
}

// answer returns an error for a call that reached no account's journal.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, call *Call) (Answer, *apiError) {
	account, refusal := authenticate(r)
	if refusal != nil {
		return Answer{}, refusal
	}
	call.Account = account
	form, refusal := readForm(w, r)
	if refusal != nil {
		return Answer{}, refusal
	}
	call.Form = form
	struck := s.faults.strike(account, call.Path)
	if struck.Kind == Delay {
		s.faults.wait(r.Context(), struck)
	}
	answer, err := s.perform(r, *call, struck)
	if err != nil {
		s.config.Logger.ErrorContext(r.Context(), "the log could not be written", "error", err)
		return Answer{}, internal("The emulator could not write its log; nothing was answered before it was kept.")
	}
	return answer, nil
}

// readForm joins query and body, which Stripe treats alike.
func readForm(w http.ResponseWriter, r *http.Request) (string, *apiError) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		refusal := invalid("", "", "The request body is larger than %d bytes.", tooLarge.Limit)
		refusal.status = http.StatusRequestEntityTooLarge
		return "", refusal
	}
	if err != nil {
		return "", invalid("", "", "The request body could not be read.")
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if len(body) > 0 && kind != "" && kind != "application/x-www-form-urlencoded" {
		return "", invalid("", "", "The Content-Type must be application/x-www-form-urlencoded.")
	}
	return r.URL.RawQuery + "&" + string(body), nil
}

// writeAnswer never sends Stripe-Should-Retry: stripe-go would repeat even a 200 that carries it.
func writeAnswer(w http.ResponseWriter, r *http.Request, call Call, answer Answer) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Request-Id", call.ID)
	header.Set("Stripe-Version", apiVersion)
	if version := r.Header.Get("Stripe-Version"); version != "" {
		header.Set("Stripe-Version", version)
	}
	if call.Key != "" {
		header.Set("Idempotency-Key", call.Key)
	}
	if answer.Original != "" {
		header.Set("Original-Request", answer.Original)
	}
	if answer.Replayed {
		header.Set("Idempotent-Replayed", "true")
	}
	if answer.Status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", `Basic realm="Stripe"`)
	}
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body) // A caller that is gone finds the answer under its key.
}
