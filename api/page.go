package api

import (
	"compress/gzip"
	"io/fs"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5/middleware"

	"example.com/doublecharge/payments"
)

// policy lets the page load nothing but its own files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// compressed makes text a quarter of its size. Only what is the same for everybody goes through it.
func compressed(next http.Handler) http.Handler {
	return middleware.Compress(gzip.BestSpeed, "text/html", "text/css", "text/javascript", "application/json")(next)
}

// page serves the web page's files. They change with the binary, so a browser asks each time.
func (s *Server) page(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if info, err := fs.Stat(files, name); name != "" && (err != nil || info.IsDir()) {
			s.fail(w, r, payments.ErrNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		server.ServeHTTP(w, r)
	})
}
