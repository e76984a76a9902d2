package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// scenarioRoutes are the lessons: what there is, a playing of one, and the last one that went as expected.
func (s *Server) scenarioRoutes(lab chi.Router) {
	lab.Get("/scenarios", s.labScenarios)
	lab.Post("/scenarios/{name}/runs", s.startScenario)
	lab.Get("/scenarios/{name}/runs/{id}", s.scenarioReport)
	lab.Get("/scenarios/{name}/recording", s.recording)
}

func (s *Server) labScenarios(w http.ResponseWriter, r *http.Request) {
	list, err := s.lab.Scenarios()
	s.answer(w, r, http.StatusOK, list, err)
}

// startScenario takes no more than the name; an empty object may be sent all the same.
func (s *Server) startScenario(w http.ResponseWriter, r *http.Request) {
	if err := decodeOptional(r, &struct{}{}); err != nil {
		s.fail(w, r, err)
		return
	}
	name := chi.URLParam(r, "name")
	report, err := s.lab.StartScenario(r.Context(), name)
	s.accepted(w, r, "/lab/scenarios/"+name+"/runs/", report, err)
}

func (s *Server) scenarioReport(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	report, err := s.lab.ScenarioReport(r.Context(), chi.URLParam(r, "name"), id)
	s.answer(w, r, http.StatusOK, report, err)
}

func (s *Server) recording(w http.ResponseWriter, r *http.Request) {
	recording, err := s.lab.Recording(r.Context(), chi.URLParam(r, "name"))
	s.answer(w, r, http.StatusOK, recording, err)
}
