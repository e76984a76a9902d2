package stripetest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// maxKnobBody is far above any body a knob takes.
const maxKnobBody = 64 << 10

func (s *Server) turnClock(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Advance string `json:"advance"`
		Account string `json:"account"`
	}
	if err := readKnob(w, r, &body); err != nil {
		writeKnob(w, http.StatusBadRequest, knobError(err.Error()))
		return
	}
	d, err := time.ParseDuration(body.Advance)
	if err != nil {
		writeKnob(w, http.StatusBadRequest, knobError(`advance: want a duration such as "25h"`))
		return
	}
	clock, err := s.Advance(body.Account, d)
	s.answerKnob(w, r, body.Account, clock, err)
}

func (s *Server) turnReset(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Account string `json:"account"`
	}
	if err := readKnob(w, r, &body); err != nil {
		writeKnob(w, http.StatusBadRequest, knobError(err.Error()))
		return
	}
	s.answerKnob(w, r, body.Account, map[string]bool{"reset": true}, s.Reset(body.Account))
}

func (s *Server) showRequests(w http.ResponseWriter, r *http.Request) {
	account, key := r.FormValue("account"), r.FormValue("idempotency_key")
	requests := s.Requests(account)
	if key != "" {
		requests = withKey(requests, key)
	}
	s.answerKnob(w, r, account, map[string][]Request{"requests": requests}, nil)
}

func withKey(requests []Request, key string) []Request {
	found := []Request{}
	for _, each := range requests {
		if each.IdempotencyKey == key {
			found = append(found, each)
		}
	}
	return found
}

// readKnob reads a JSON object, or nothing at all, and is strict: a misspelt field would otherwise
// turn the knob of all accounts.
func readKnob(w http.ResponseWriter, r *http.Request, into any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxKnobBody))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		return errors.New(wrong.Field + ": want a " + wrong.Type.Kind().String() + ", not a " + wrong.Value)
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("one JSON object, please, and nothing after it")
	}
	return nil
}

func (s *Server) answerKnob(w http.ResponseWriter, r *http.Request, account string, answer any, err error) {
	status := http.StatusOK
	switch {
	case errors.Is(err, errTooFar):
		status, answer = http.StatusBadRequest, knobError("advance: "+err.Error())
	case err != nil:
		s.config.Logger.ErrorContext(r.Context(), "the log could not be written", "error", err)
		status, answer = http.StatusInternalServerError, knobError("the log could not be written")
	}
	s.config.Logger.DebugContext(r.Context(), "knob", "method", r.Method, "path", r.URL.Path,
		"account", account, "status", status)
	writeKnob(w, status, answer)
}

func knobError(message string) map[string]string {
	return map[string]string{"error": message}
}

func writeKnob(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(encode(answer), '\n')) // Nobody is there to tell when the caller is gone.
}
