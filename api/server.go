// Package api is the shop over HTTP, and the lab's controls. It never talks to the broker or the bank:
// a checkout is one commit in the database, and everything after it is somebody else's work.
package api

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"example.com/doublecharge/api/idempotency"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// Store is what the shop needs of the database.
type Store interface {
	idempotency.Answers
	SaveCheckout(ctx context.Context, answer payments.Answer, checkout payments.Checkout) error
	Order(ctx context.Context, id, account string) (payments.Order, error)
	Orders(ctx context.Context, account, after string, limit int) ([]payments.Order, error)
}

// Config says what the api serves.
type Config struct {
	Store Store
	// Committed is called after a checkout was committed, to wake the relay. Optional.
	Committed func()
	// Parts tells which parts are ready.
	Parts func(context.Context) []step.Part
	// Lab is nil unless the api was started with the lab's controls.
	Lab Lab
	// Hosts may be used for the lab besides localhost.
	Hosts []string
	// Page is the web page. Optional.
	Page fs.FS
	// Closing is closed when the server shuts down: streams, which have no end of their own, end then.
	Closing <-chan struct{}
	Probe   step.Probe
	Log     *slog.Logger
	// Now defaults to time.Now.
	Now func() time.Time
}

// Server is the api as an http.Handler.
type Server struct {
	http.Handler
	store   Store
	lab     Lab
	parts   func(context.Context) []step.Part
	hosts   map[string]bool
	closing <-chan struct{}
	probe   step.Probe
	log     *slog.Logger
	now     func() time.Time
}

// New makes the api.
func New(c Config) *Server {
	s := &Server{
		store: c.Store, lab: c.Lab, parts: c.Parts, closing: c.Closing, probe: c.Probe, log: c.Log, now: c.Now,
		hosts: map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true},
	}
	if c.Committed != nil {
		s.store = notifyingStore{c.Store, c.Committed}
	}
	for _, host := range c.Hosts {
		s.hosts[host] = true
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.Handler = s.routes(c.Page)
	return s
}

func (s *Server) routes(page fs.FS) http.Handler {
	router := chi.NewRouter()
	router.Use(s.recoverPanics)
	router.NotFound(func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, payments.ErrNotFound) })
	router.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { s.methodNotAllowed(w, r, router) })
	router.Get("/healthz", s.health)
	router.Get("/readyz", s.ready)
	router.Route("/v1", func(v1 chi.Router) {
		v1.Get("/products", s.products)
		v1.Group(func(shop chi.Router) {
			shop.Use(s.authenticate)
			shop.Method(http.MethodPost, "/checkouts", s.checkout())
			shop.Get("/orders", s.orders)
			shop.Get("/orders/{id}", s.order)
		})
	})
	router.Route("/lab", s.labRoutes)
	if page != nil {
		router.With(compressed).Method(http.MethodGet, "/*", s.page(page))
	}
	return router
}

// newID mints a UUIDv7: ids made later sort later, which keeps the primary key's tree hot.
func (s *Server) newID() string { return uuid.Must(uuid.NewV7()).String() }

// recoverPanics answers a panic with 500. Whatever it had begun is rolled back.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if cause := recover(); cause != nil {
				s.fail(w, r, fmt.Errorf("panic: %v", cause))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// methodNotAllowed names the methods that the path does have.
func (s *Server) methodNotAllowed(w http.ResponseWriter, r *http.Request, routes chi.Routes) {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		if routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
			w.Header().Add("Allow", method)
		}
	}
	s.fail(w, r, errMethod)
}

// notifyingStore says when something was committed.
type notifyingStore struct {
	Store
	committed func()
}

func (n notifyingStore) SaveCheckout(ctx context.Context, a payments.Answer, c payments.Checkout) error {
	err := n.Store.SaveCheckout(ctx, a, c)
	if err == nil {
		n.committed()
	}
	return err
}
