package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

func (s *Server) labState(w http.ResponseWriter, r *http.Request) {
	state, err := s.lab.State(r.Context())
	s.answer(w, r, http.StatusOK, state, err)
}

// answer replies with the value or, if there is one, the error.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, status int, value any, err error) {
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, status, value)
}

func (s *Server) labSettings(w http.ResponseWriter, r *http.Request) {
	var change step.Change
	if err := decode(r, &change); err != nil {
		s.fail(w, r, err)
		return
	}
	settings, err := s.lab.Change(r.Context(), change)
	s.answer(w, r, http.StatusOK, settings, err)
}

// done answers 204 or the error.
func (s *Server) done(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) labStep(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Instance *int64 `json:"instance"`
	}
	if r.ContentLength != 0 {
		if err := decode(r, &request); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	var longest int64 // The longest waiting one, unless an instance is named.
	if request.Instance == nil {
		request.Instance = &longest
	} else if *request.Instance < 1 {
		s.fail(w, r, payments.InvalidField("instance", "must be a process's instance, from 1 up"))
		return
	}
	s.done(w, r, s.lab.Release(r.Context(), *request.Instance))
}

func (s *Server) labMailbox(w http.ResponseWriter, r *http.Request) {
	order, err := queryID(r, "order")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	letters, err := s.lab.Mailbox(r.Context(), order)
	s.answer(w, r, http.StatusOK, map[string]any{"letters": letters}, err)
}

func (s *Server) labDeadLetters(w http.ResponseWriter, r *http.Request) {
	letters, err := s.lab.DeadLetters(r.Context())
	s.answer(w, r, http.StatusOK, map[string]any{"dead_letters": letters}, err)
}

func (s *Server) labRedrive(w http.ResponseWriter, r *http.Request) {
	var request struct {
		DryRun bool `json:"dry_run"`
	}
	if err := decode(r, &request); err != nil {
		s.fail(w, r, err)
		return
	}
	letters, err := s.lab.Redrive(r.Context(), request.DryRun)
	s.answer(w, r, http.StatusOK, map[string]any{"letters": letters}, err)
}

func (s *Server) labStatement(w http.ResponseWriter, r *http.Request) {
	account := r.URL.Query().Get("account")
	if err := checkAccount(account); err != nil {
		s.fail(w, r, err)
		return
	}
	statement, err := s.lab.Statement(r.Context(), account)
	s.answer(w, r, http.StatusOK, statement, err)
}

func (s *Server) labWait(w http.ResponseWriter, r *http.Request) {
	timeout := 20 * time.Second
	if asked := r.URL.Query().Get("timeout"); asked != "" {
		d, err := time.ParseDuration(asked)
		if err != nil || d <= 0 || d > 10*time.Minute {
			s.fail(w, r, payments.InvalidField("timeout", "must be a duration over 0 and up to 10m, such as 20s"))
			return
		}
		timeout = d
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	quiet, err := s.lab.Wait(ctx)
	if err == nil && !quiet {
		err = errTimeout
	}
	s.answer(w, r, http.StatusOK, map[string]bool{"quiet": true}, err)
}

func (s *Server) labClock(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Advance string `json:"advance"`
	}
	if err := decode(r, &request); err != nil {
		s.fail(w, r, err)
		return
	}
	d, err := time.ParseDuration(request.Advance)
	if err != nil {
		s.fail(w, r, payments.InvalidField("advance", "must be a duration, such as 25h"))
		return
	}
	clock, err := s.lab.Advance(r.Context(), d)
	s.answer(w, r, http.StatusOK, clock, err)
}

func (s *Server) labReset(w http.ResponseWriter, r *http.Request) {
	// A reset that has begun is finished, even if the client hangs up.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 30*time.Second)
	defer cancel()
	s.done(w, r, s.lab.Reset(ctx))
}

func (s *Server) labVerdict(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	verdict, err := s.lab.Verdict(r.Context(), id)
	s.answer(w, r, http.StatusOK, verdict, err)
}

func (s *Server) labRedeliver(w http.ResponseWriter, r *http.Request) {
	request := struct {
		Times     *int   `json:"times"`
		MessageID string `json:"message_id"`
	}{}
	id, err := pathID(r)
	if err == nil && r.ContentLength != 0 {
		err = decode(r, &request)
	}
	messageID, ok := parseID(request.MessageID)
	if err == nil && request.MessageID != "" && !ok {
		err = payments.InvalidField("message_id", "must be a message's id")
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	times := 1
	if request.Times != nil {
		times = *request.Times
	}
	err = s.lab.Redeliver(r.Context(), id, messageID, times)
	if errors.Is(err, payments.ErrNotFound) && messageID != "" {
		err = payments.InvalidField("message_id", "is no message of this order")
	}
	s.answer(w, r, http.StatusAccepted, map[string]int{"times": times}, err)
}
