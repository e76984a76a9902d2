package api

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// Lab is the lab as the api needs it.
type Lab interface {
	State(ctx context.Context) (step.State, error)
	Change(ctx context.Context, change step.Change) (step.Settings, error)
	Setup(ctx context.Context, change step.Change, faults []step.Fault) (step.Settings, error)
	Arm(ctx context.Context, fault step.Fault) (step.Fault, error)
	Disarm(ctx context.Context) error
	Release(ctx context.Context, instance int64) error
	Mailbox(ctx context.Context, orderID string) ([]payments.Letter, error)
	DeadLetters(ctx context.Context) ([]payments.DeadLetter, error)
	Redrive(ctx context.Context, dry bool) ([]payments.Redriven, error)
	Redeliver(ctx context.Context, orderID, messageID string, times int) error
	Verdict(ctx context.Context, orderID string) (payments.Verdict, error)
	Statement(ctx context.Context, account string) (payments.Statement, error)
	Events(ctx context.Context, after int64, orderID string) ([]step.Event, error)
	// Wait returns true when all is quiet, and false when the context ended before.
	Wait(ctx context.Context) (bool, error)
	Advance(ctx context.Context, d time.Duration) (step.Clock, error)
	Reset(ctx context.Context) error
	Resetting() bool
	// Strategies describes every strategy, in the order of the lesson.
	Strategies() ([]step.StrategyInfo, error)
	StartRun(ctx context.Context, spec step.RunSpec) (json.RawMessage, error)
	StartMatrix(ctx context.Context, spec step.MatrixSpec) (json.RawMessage, error)
	StartExplore(ctx context.Context, spec step.ExploreSpec) (json.RawMessage, error)
	// Scenarios shows the lessons; the report of one that is played grows, and its recording is the last that
	// went as expected.
	Scenarios() (any, error)
	StartScenario(ctx context.Context, name string) (json.RawMessage, error)
	ScenarioReport(ctx context.Context, name, id string) (json.RawMessage, error)
	Recording(ctx context.Context, name string) (json.RawMessage, error)
	// Job shows a job of a kind, or for "" the latest; Jobs the newest ones.
	Job(ctx context.Context, kind step.JobKind, id string) (json.RawMessage, error)
	Jobs(ctx context.Context, kind step.JobKind) ([]json.RawMessage, error)
}

// labRoutes are there only when the lab is. Without it, everything below /lab is not found.
func (s *Server) labRoutes(lab chi.Router) {
	if s.lab == nil {
		return
	}
	lab.Use(s.onlyHere, s.sameOrigin)
	lab.Get("/state", s.labState)
	lab.With(compressed).Get("/strategies", s.labStrategies)
	lab.Put("/settings", s.labSettings)
	lab.Put("/setup", s.labSetup)
	lab.Post("/faults", s.labArm)
	lab.Delete("/faults", s.labDisarm)
	lab.Post("/step", s.labStep)
	lab.Get("/mailbox", s.labMailbox)
	lab.Get("/dead-letters", s.labDeadLetters)
	lab.Post("/redrive", s.labRedrive)
	lab.Get("/statement", s.labStatement)
	lab.Get("/wait", s.labWait)
	lab.Post("/clock", s.labClock)
	lab.Post("/stripe/clock", s.labClock)
	lab.Post("/reset", s.labReset)
	lab.Get("/events", s.allEvents)
	lab.Get("/orders/{id}/events", s.orderEvents)
	lab.Get("/orders/{id}/verdict", s.labVerdict)
	lab.Post("/orders/{id}/redeliver", s.labRedeliver)
	s.jobRoutes(lab)
	s.scenarioRoutes(lab)
}

// sameOrigin refuses changes that another site's page asks a browser for.
func (s *Server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, errForbidden)
	}))
	return protection.Handler(next)
}

// onlyHere refuses names that are not this machine's, so that a page elsewhere cannot reach the lab by
// pointing a name of its own at 127.0.0.1.
func (s *Server) onlyHere(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !s.hosts[strings.Trim(host, "[]")] {
			s.fail(w, r, errForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
