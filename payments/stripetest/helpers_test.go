package stripetest_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"example.com/doublecharge/payments/stripetest"
)

// A client speaks raw HTTP as one account.
type client struct {
	url  string
	auth string
}

func demo(server *stripetest.TestServer) client {
	return client{url: server.URL, auth: "Bearer sk_test_demo"}
}

func (c client) as(account string) client {
	return client{url: c.url, auth: "Bearer sk_test_" + account}
}

// A reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

func (c client) send(tb testing.TB, method, path, key, form string) reply {
	tb.Helper()
	got, err := c.try(tb, method, path, key, form)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

// try is send for goroutines and for servers that may be killed meanwhile.
func (c client) try(tb testing.TB, method, path, key, form string) (reply, error) {
	tb.Helper()
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	return c.do(tb, method, path, header, form)
}

func (c client) do(tb testing.TB, method, path string, header http.Header, body string) (reply, error) {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	r.Header = header
	if c.auth != "" {
		r.Header.Set("Authorization", c.auth)
	}
	// A transport of its own leaves no connection behind, and sends nothing twice by itself.
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return reply{}, err
	}
	content, err := io.ReadAll(answer.Body)
	if err := answer.Body.Close(); err != nil {
		return reply{}, err
	}
	return reply{status: answer.StatusCode, header: answer.Header, body: string(content)}, err
}

func (c client) get(tb testing.TB, path string) reply {
	tb.Helper()
	return c.send(tb, http.MethodGet, path, "", "")
}

func (c client) create(tb testing.TB, key, form string) reply {
	tb.Helper()
	return c.send(tb, http.MethodPost, "/v1/payment_intents", key, form)
}

// knob posts JSON to the part outside /v1.
func (c client) knob(tb testing.TB, path, body string) reply {
	tb.Helper()
	return c.send(tb, http.MethodPost, "/_emulator/"+path, "", body)
}

// at digs a value out of a JSON body: at("error.payment_intent.id"), at("data.0.id").
func (r reply) at(tb testing.TB, path string) any {
	tb.Helper()
	var value any
	if err := json.Unmarshal([]byte(r.body), &value); err != nil {
		tb.Fatalf("body is no JSON: %v: %s", err, r.body)
	}
	for step := range strings.SplitSeq(path, ".") {
		switch inner := value.(type) {
		case map[string]any:
			value = inner[step]
		case []any:
			index := int(step[0] - '0')
			if index >= len(inner) {
				tb.Fatalf("no %s in %s", path, r.body)
			}
			value = inner[index]
		default:
			tb.Fatalf("no %s in %s", path, r.body)
		}
	}
	return value
}

func (r reply) text(tb testing.TB, path string) string {
	tb.Helper()
	s, _ := r.at(tb, path).(string)
	return s
}

func (r reply) wants(tb testing.TB, status int, fields map[string]any) {
	tb.Helper()
	if r.status != status {
		tb.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
	for path, want := range fields {
		if got := r.at(tb, path); got != want {
			tb.Errorf("%s = %v, want %v in %s", path, got, want, r.body)
		}
	}
}

// payment is a form for a confirmed intent, with some fields replaced or, by an empty value, left out.
func payment(changes ...string) string {
	form := url.Values{
		"amount": {"2000"}, "currency": {"eur"}, "confirm": {"true"}, "payment_method": {"pm_card_visa"},
		"payment_method_types[]": {"card"}, "metadata[order_id]": {"o1"},
	}
	for i := 0; i+1 < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
		if changes[i+1] == "" {
			form.Del(changes[i])
		}
	}
	return form.Encode()
}

func with(fields, more map[string]any) map[string]any {
	all := maps.Clone(fields)
	maps.Copy(all, more)
	return all
}

func dataFile(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(tb.TempDir(), "stripe.log")
}
