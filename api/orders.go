package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"example.com/doublecharge/payments"
)

// pageSize is how many orders a page has.
const pageSize = 50

func (s *Server) products(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, http.StatusOK, map[string]any{"products": payments.Catalogue()})
}

func (s *Server) order(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	order, err := s.store.Order(r.Context(), id, accountOf(r))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, http.StatusOK, order)
}

// orders lists the account's orders, newest first. Next is the id to ask for the following page after,
// or null.
func (s *Server) orders(w http.ResponseWriter, r *http.Request) {
	after := r.URL.Query().Get("after")
	if after != "" && uuid.Validate(after) != nil {
		s.fail(w, r, payments.InvalidField("after", "must be an order's id"))
		return
	}
	orders, err := s.store.Orders(r.Context(), accountOf(r), after, pageSize+1)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var next *string
	if len(orders) > pageSize {
		orders = orders[:pageSize]
		next = &orders[pageSize-1].ID
	}
	s.reply(w, r, http.StatusOK, map[string]any{"orders": orders, "next": next})
}

// pathID reads the id of the path. What is no id is nobody's order.
func pathID(r *http.Request) (string, error) {
	id := chi.URLParam(r, "id")
	if uuid.Validate(id) != nil {
		return "", payments.ErrNotFound
	}
	return id, nil
}
