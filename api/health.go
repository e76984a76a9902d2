package api

import (
	"net/http"

	"example.com/doublecharge/payments/step"
)

// health says that the process answers. It says nothing of what it needs.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, http.StatusOK, map[string]string{"status": "ok"})
}

// ready says what is still missing: 503 until nothing is.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	body := struct {
		Ready bool        `json:"ready"`
		Parts []step.Part `json:"parts"`
	}{true, s.parts(r.Context())}
	for _, part := range body.Parts {
		body.Ready = body.Ready && part.Ready
	}
	status := http.StatusOK
	if !body.Ready {
		status = http.StatusServiceUnavailable
	}
	s.reply(w, r, status, body)
}
