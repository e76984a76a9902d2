package api_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/doublecharge/api"
)

func withPage(c *api.Config) {
	c.Page = fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html><title>Lab</title>")}, "js/main.js": {Data: []byte("export {}")},
	}
}

// TestTheLabIsForThisMachineOnly: a page elsewhere could point a name of its own at 127.0.0.1.
func TestTheLabIsForThisMachineOnly(t *testing.T) {
	t.Parallel()
	s := openLab(t, func(c *api.Config) { c.Hosts = []string{"lab.school.test"} })
	before := s.rows(t)
	for host, status := range map[string]int{
		"localhost": 201, "localhost:4242": 201, "127.0.0.1": 201, "127.0.0.1:4242": 201,
		"[::1]": 201, "[::1]:4242": 201,
		"lab.school.test": 201, "lab.school.test:80": 201,
		"evil.test": 403, "evil.test:4242": 403, "localhost.evil.test": 403, "127.0.0.1.evil.test": 403,
		"127.0.0.2":   403,
		"school.test": 403, "x.lab.school.test": 403, "[::2]:80": 403, "0.0.0.0": 403,
	} {
		answer := s.do(t, http.MethodPost, "/lab/faults", `{"point":"api.written","action":"error","account":"alice"}`,
			func(r *http.Request) { r.Host = host })
		if answer.status != status {
			t.Errorf("host %q: %d %s, want %d", host, answer.status, answer.body, status)
		}
		if status == http.StatusForbidden {
			answer.problem(t)
			before.Faults-- // So that it counts the good ones only.
		}
		before.Faults++
	}
	if after := s.rows(t); after != before {
		t.Errorf("the tables have %+v, want %+v", after, before)
	}
	reading := s.do(t, http.MethodGet, "/lab/mailbox", "", func(r *http.Request) { r.Host = "evil.test" })
	if reading.status != http.StatusForbidden {
		t.Errorf("reading from a foreign host: %d", reading.status)
	}
	shopping := s.do(t, http.MethodGet, "/v1/products", "", func(r *http.Request) { r.Host = "evil.test" })
	if shopping.status != http.StatusOK {
		t.Errorf("the shop under another name: %d", shopping.status)
	}
}

func TestTheLabIsNotForOtherSites(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	before := s.rows(t)
	own := s.url
	for _, call := range []string{
		`POST /lab/faults {"point":"api.written","action":"error"}`, `PUT /lab/settings {"workers":2}`,
		`PUT /lab/setup {"settings":{"workers":2}}`, `DELETE /lab/faults `, `POST /lab/clock {"advance":"1h"}`,
		`POST /lab/reset `, `POST /lab/step {}`,
	} {
		part := strings.SplitN(call, " ", 3)
		for name, edit := range map[string]func(*http.Request){
			"another origin":      as("Origin", "https://evil.test"),
			"no origin to speak":  as("Origin", "null"),
			"another port":        as("Origin", "http://127.0.0.1:1"),
			"cross-site":          as("Sec-Fetch-Site", "cross-site"),
			"same-site, not same": as("Sec-Fetch-Site", "same-site"),
		} {
			answer := s.do(t, part[0], part[1], part[2], edit)
			if answer.problem(t); answer.status != http.StatusForbidden {
				t.Errorf("%s, %s: %d %s", call, name, answer.status, answer.body)
			}
		}
	}
	if after := s.rows(t); after != before {
		t.Errorf("the tables had %+v and have %+v", before, after)
	}
	for name, edits := range map[string][]func(*http.Request){
		"curl": nil, "our page": {
			as("Sec-Fetch-Site", "same-origin"),
			as("Origin", own),
		}, "typed in": {as("Sec-Fetch-Site", "none")},
		"our page in an old browser": {as("Origin", own)},
	} {
		answer := s.do(t, http.MethodPut, "/lab/settings", `{"workers":2}`, edits...)
		if answer.status != http.StatusOK {
			t.Errorf("%s: %d %s", name, answer.status, answer.body)
		}
	}
}

func TestThePageMayLoadNothingButItsOwn(t *testing.T) {
	t.Parallel()
	s := openLab(t, withPage)
	for path, media := range map[string]string{
		"/":           "text/html; charset=utf-8",
		"/js/main.js": "text/javascript; charset=utf-8",
	} {
		answer := s.do(t, http.MethodGet, path, "")
		if answer.status != http.StatusOK || answer.header.Get("Content-Type") != media {
			t.Errorf("%s: %d %s", path, answer.status, answer.header)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; " +
				"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache",
		} {
			if got := answer.header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
}
