package api_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/doublecharge/api"
)

func TestABadQueryOrPathIsRefusedByName(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	const id = "0197a1c2-0000-7000-8000-000000000001"
	noIDs := []string{
		"x", "0", "-1", id[:35], id + "0", "urn:uuid:" + id, "%7B" + id + "%7D",
		strings.ReplaceAll(id, "-", ""), "%00",
	}
	for path, values := range map[string][]string{
		"/v1/orders?after=":                    noIDs,
		"/lab/mailbox?order=":                  noIDs,
		"/lab/statement?account=":              {"eve", "AYSE", "ck_demo_ayse", "%00"},
		"/lab/wait?timeout=":                   {"0", "0s", "-1s", "20", "11m", "soon", "1e9s", "NaN"},
		"/lab/events?after=":                   {"x", "-1", "1.5", "1e3", "99999999999999999999", "0x1"},
		"/lab/orders/" + id + "/events?after=": {"x", "-1"},
	} {
		_, name, _ := strings.Cut(strings.TrimSuffix(path, "="), "?")
		for _, value := range values {
			answer := s.do(t, http.MethodGet, path+value, "", from("ayse"))
			if p := answer.problem(t); answer.status != http.StatusUnprocessableEntity || p.Field != name {
				t.Errorf("%s%s: %d %s", path, value, answer.status, answer.body)
			}
		}
	}
	for _, value := range []string{"x", "-1", "1.5"} {
		answer := s.do(t, http.MethodGet, "/lab/events", "", as("Last-Event-Id", value))
		if p := answer.problem(t); answer.status != http.StatusUnprocessableEntity || p.Field != "Last-Event-ID" {
			t.Errorf("Last-Event-ID %s: %d %s", value, answer.status, answer.body)
		}
	}
	for _, path := range []string{
		"GET /v1/orders/", "GET /lab/orders//verdict", "POST /lab/orders//redeliver", "GET /lab/orders//events",
	} {
		method, path, _ := strings.Cut(path, " ")
		for _, value := range append(noIDs, id) {
			at := strings.Replace(path, "//", "/"+value+"/", 1)
			if at == path {
				at += value
			}
			if value == id && strings.HasSuffix(at, "/events") {
				continue // An order that is not there yet has no events yet.
			}
			answer := s.do(t, method, at, "", from("ayse"))
			if answer.problem(t); answer.status != http.StatusNotFound {
				t.Errorf("%s %s: %d %s", method, at, answer.status, answer.body)
			}
		}
	}
	if text := s.logs.String(); text != "" {
		t.Errorf("logged: %s", text)
	}
}

// TestAPathThatIsNotThereIsAProblemToo, also where the page would answer for everything else.
func TestAPathThatIsNotThereIsAProblemToo(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*shop{
		"with lab and page": openLab(t, withPage),
		"without the lab":   open(t, withPage),
		"without the page":  open(t),
	} {
		for _, call := range []string{
			"GET /v1/nothing", "POST /v1/nothing", "GET /v1", "GET /lab/nothing",
			"PUT /lab/nothing",
		} {
			method, path, _ := strings.Cut(call, " ")
			answer := s.do(t, method, path, "")
			if answer.problem(t); answer.status != http.StatusNotFound {
				t.Errorf("%s: %s: %d %s", name, call, answer.status, answer.body)
			}
		}
		for call, allow := range map[string]string{
			"DELETE /v1/checkouts": "POST", "POST /v1/orders": "GET", "PUT /v1/products": "GET", "POST /readyz": "GET",
		} {
			method, path, _ := strings.Cut(call, " ")
			answer := s.do(t, method, path, "", from("ayse"))
			if answer.problem(t); answer.status != http.StatusMethodNotAllowed || answer.header.Get("Allow") != allow {
				t.Errorf("%s: %s: %d, Allow %q", name, call, answer.status, answer.header.Values("Allow"))
			}
		}
	}
	if answer := open(t).do(t, http.MethodGet, "/lab/state", ""); answer.status != http.StatusNotFound {
		t.Errorf("without the lab its controls answer %d", answer.status)
	}
	answer := openLab(t).do(t, http.MethodPost, "/lab/faults", `{"point":"api.written","action":"crash"}`)
	if answer.status != http.StatusCreated {
		t.Errorf("with the lab its controls answer %d %s", answer.status, answer.body)
	}
}

// panicking is a store that was never made.
type panicking struct{ api.Store }

func TestAPanicIsA500ThatTellsNothing(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *api.Config) { c.Store = panicking{} })
	answer := s.do(t, http.MethodGet, "/v1/orders", "", from("ayse"))
	if p := answer.problem(t); answer.status != http.StatusInternalServerError || p.Detail != "" {
		t.Errorf("got %d %s", answer.status, answer.body)
	}
	if text := s.logs.String(); !strings.Contains(text, "panic") || strings.Contains(text, "ck_demo") {
		t.Errorf("logged: %s", text)
	}
}
