package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// jobRoutes are the work that the lab does by itself: asked for here, done elsewhere, seen here.
func (s *Server) jobRoutes(lab chi.Router) {
	lab.Post("/runs", s.startRun)
	lab.Get("/runs", s.runs)
	lab.Get("/runs/{id}", s.job(step.RunJob))
	lab.Post("/matrix", s.startMatrix)
	lab.Get("/matrix", s.job(step.MatrixJob))
	lab.Get("/matrix/{id}", s.job(step.MatrixJob))
	lab.Post("/explore", s.startExplore)
	lab.Get("/explore", s.job(step.ExploreJob))
	lab.Get("/explore/{id}", s.job(step.ExploreJob))
}

func (s *Server) labStrategies(w http.ResponseWriter, r *http.Request) {
	strategies, err := s.lab.Strategies()
	s.answer(w, r, http.StatusOK, map[string]any{"strategies": strategies}, err)
}

func (s *Server) startRun(w http.ResponseWriter, r *http.Request) {
	request := struct {
		Strategy string          `json:"strategy"`
		Faults   []faultRequest  `json:"faults"`
		Orders   *int            `json:"orders"`
		Settings step.Change     `json:"settings"`
		Then     []step.Reaction `json:"then"`
	}{Strategy: step.DefaultSettings().Strategy}
	if err := decode(r, &request); err != nil {
		s.fail(w, r, err)
		return
	}
	spec := step.RunSpec{Strategy: request.Strategy, Orders: 1, Settings: request.Settings, Then: request.Then}
	if request.Orders != nil {
		spec.Orders = *request.Orders
	}
	var err error
	if spec.Faults, err = faultsOf(request.Faults); err != nil {
		s.fail(w, r, err)
		return
	}
	run, err := s.lab.StartRun(r.Context(), spec)
	s.accepted(w, r, "/lab/runs/", run, err)
}

func (s *Server) startMatrix(w http.ResponseWriter, r *http.Request) {
	var spec step.MatrixSpec
	if err := decodeOptional(r, &spec); err != nil {
		s.fail(w, r, err)
		return
	}
	job, err := s.lab.StartMatrix(r.Context(), spec)
	s.accepted(w, r, "/lab/matrix/", job, err)
}

func (s *Server) startExplore(w http.ResponseWriter, r *http.Request) {
	spec := step.ExploreSpec{Crashes: 2, Deliveries: 3, Workers: 2}
	if err := decodeOptional(r, &spec); err != nil {
		s.fail(w, r, err)
		return
	}
	job, err := s.lab.StartExplore(r.Context(), spec)
	s.accepted(w, r, "/lab/explore/", job, err)
}

// decodeOptional decodes a body, if there is one.
func decodeOptional(r *http.Request, into any) error {
	if r.ContentLength == 0 {
		return nil
	}
	return decode(r, into)
}

// accepted answers 202 with the job, and says where it will be.
func (s *Server) accepted(w http.ResponseWriter, r *http.Request, path string, job json.RawMessage, err error) {
	var named struct {
		ID string `json:"id"`
	}
	if err == nil && json.Unmarshal(job, &named) == nil {
		w.Header().Set("Location", path+named.ID)
	}
	s.answer(w, r, http.StatusAccepted, job, err)
}

func (s *Server) runs(w http.ResponseWriter, r *http.Request) {
	runs, err := s.lab.Jobs(r.Context(), step.RunJob)
	s.answer(w, r, http.StatusOK, map[string]any{"runs": runs}, err)
}

// job shows one job of a kind: the one that the path names, or the latest.
func (s *Server) job(kind step.JobKind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id := ""
		if chi.URLParam(r, "id") != "" {
			var err error
			if id, err = pathID(r); err != nil {
				s.fail(w, r, err)
				return
			}
		}
		document, err := s.lab.Job(r.Context(), kind, id)
		if id == "" && errors.Is(err, payments.ErrNotFound) {
			w.WriteHeader(http.StatusNoContent) // None has been asked for yet, which is no error.
			return
		}
		s.answer(w, r, http.StatusOK, document, err)
	}
}
