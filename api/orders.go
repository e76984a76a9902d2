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
	after, err := queryID(r, "after")
	if err != nil {
		s.fail(w, r, err)
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
	id, ok := parseID(chi.URLParam(r, "id"))
	if !ok {
		return "", payments.ErrNotFound
	}
	return id, nil
}

// queryID reads an order's id from the query; "" is none.
func queryID(r *http.Request, name string) (string, error) {
	value := r.URL.Query().Get(name)
	id, ok := parseID(value)
	if value != "" && !ok {
		return "", payments.InvalidField(name, "must be an order's id")
	}
	return id, nil
}

// parseID accepts the one form in which ids are given out, in either case.
func parseID(text string) (id string, ok bool) {
	parsed, err := uuid.Parse(text)
	if err != nil || len(text) != len(parsed.String()) {
		return "", false // Such as urn:uuid: before it, which the database does not know.
	}
	return parsed.String(), true
}
