package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"example.com/doublecharge/payments"
)

// keyPrefix begins the demo accounts' keys. They are no secrets: this is a lab.
const keyPrefix = "ck_demo_"

// accounts lists the demo customers.
func accounts() []string { return []string{"ayse", "mert", "alice"} }

// checkAccount accepts a demo customer, or "" for all of them.
func checkAccount(name string) error {
	if name == "" || slices.Contains(accounts(), name) {
		return nil
	}
	return payments.InvalidField("account", "must be one of %s", strings.Join(accounts(), ", "))
}

type accountKey struct{}

// authenticate lets demo accounts pass.
func (s *Server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		account, isKey := strings.CutPrefix(token, keyPrefix)
		if !isBearer || !isKey || !slices.Contains(accounts(), account) {
			s.fail(w, r, errUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accountKey{}, account)))
	})
}

// accountOf is the account of an authenticated request.
func accountOf(r *http.Request) string {
	account, _ := r.Context().Value(accountKey{}).(string)
	return account
}
