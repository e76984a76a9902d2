package api

import (
	"context"
	"net/http"
	"strings"
)

// keyPrefix begins the demo accounts' keys. They are no secrets: this is a lab.
const keyPrefix = "ck_demo_"

func isAccount(name string) bool {
	switch name {
	case "ayse", "mert", "alice":
		return true
	default:
		return false
	}
}

type accountKey struct{}

// authenticate lets demo accounts pass.
func (s *Server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		account, isKey := strings.CutPrefix(token, keyPrefix)
		if !isBearer || !isKey || !isAccount(account) {
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
