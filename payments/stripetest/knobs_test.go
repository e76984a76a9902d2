package stripetest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/doublecharge/payments/stripetest"
)

func TestClock(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServerWith(t, stripetest.Config{Now: newYear})
	bank := demo(server)
	bank.knob(t, "clock", `{"advance":"25h","account":"demo"}`).wants(t, http.StatusOK,
		map[string]any{"now": "2026-01-02T01:00:00Z", "offset": "25h0m0s"})
	bank.knob(t, "clock", `{"advance":"1h"}`).wants(t, http.StatusOK, map[string]any{"offset": "1h0m0s"})
	bank.knob(t, "clock", `{"advance":"0s","account":"demo"}`).wants(t, http.StatusOK,
		map[string]any{"offset": "26h0m0s"})

	hours := func(h int) float64 { return float64(newYear().Add(time.Duration(h) * time.Hour).Unix()) }
	bank.create(t, "", payment()).wants(t, http.StatusOK, map[string]any{"created": hours(26)})
	bank.as("new").create(t, "", payment()).wants(t, http.StatusOK, map[string]any{"created": hours(1)})
}

func TestJournal(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServerWith(t, stripetest.Config{Now: newYear})
	bank := demo(server)
	ids := []string{
		bank.create(t, "k", payment()).header.Get("Request-Id"),
		bank.as("other").create(t, "", payment()).header.Get("Request-Id"),
		bank.create(t, "k", payment()).header.Get("Request-Id"),
		bank.create(t, "k", payment("amount", "1")).header.Get("Request-Id"),
		bank.get(t, "/v1/charges").header.Get("Request-Id"),
	}
	line := stripetest.Request{At: newYear(), Method: http.MethodPost, Path: "/v1/payment_intents", Status: 200}
	first, other, again, wrong, read := line, line, line, line, line
	first.ID, first.IdempotencyKey, first.Executed = ids[0], "k", true
	other.ID, other.Executed = ids[1], true
	again.ID, again.IdempotencyKey, again.Replayed = ids[2], "k", true
	wrong.ID, wrong.IdempotencyKey, wrong.Status = ids[3], "k", 400
	read.ID, read.Method, read.Path = ids[4], http.MethodGet, "/v1/charges"
	want := []stripetest.Request{first, other, again, wrong, read}
	if diff := cmp.Diff(want, server.Requests(), cmpopts.IgnoreUnexported(stripetest.Request{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	bank.get(t, "/_emulator/requests?account=other").wants(t, http.StatusOK, map[string]any{
		"requests.0.id": ids[1], "requests.0.at": "2026-01-01T00:00:00Z", "requests.0.method": "POST",
		"requests.0.path": "/v1/payment_intents", "requests.0.idempotency_key": "", "requests.0.executed": true,
		"requests.0.replayed": false, "requests.0.status": 200.0,
	})
	keyed := bank.get(t, "/_emulator/requests?idempotency_key=k")
	if got := len(keyed.at(t, "requests").([]any)); got != 3 {
		t.Errorf("%d requests with the key, want 3", got)
	}
	if got := bank.get(t, "/_emulator/requests?account=nobody").body; got != "{\"requests\":[]}\n" {
		t.Errorf("nobody's journal is %s", got)
	}
}

func TestJournalKeepsTheLastTenThousand(t *testing.T) {
	t.Parallel()
	bank := stripetest.NewBank(func(prefix string) string { return prefix })
	for range 25_000 {
		bank.Do(stripetest.Call{Account: "demo", Method: http.MethodGet, Path: "/v1/nothing"})
	}
	if got := len(bank.Requests("demo")); got < 10_000 || got > 20_000 {
		t.Errorf("%d lines, want no less than 10,000 and no more than twice that", got)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServerWith(t, stripetest.Config{Now: newYear})
	bank, other := demo(server), demo(server).as("other")
	server.Advance(25 * time.Hour)
	first := bank.create(t, "k", payment())
	other.create(t, "k", payment())

	bank.knob(t, "reset", `{"account":"demo"}`).wants(t, http.StatusOK, nil)
	if got := len(server.Charges()); got != 1 {
		t.Errorf("%d charges, want the other account's", got)
	}
	again := bank.create(t, "k", payment())
	again.wants(t, http.StatusOK, map[string]any{"created": float64(newYear().Unix())})
	if again.body == first.body {
		t.Error("the key was remembered")
	}
	bank.knob(t, "reset", "").wants(t, http.StatusOK, nil)
	if len(server.Charges()) != 0 || len(server.Requests()) != 0 {
		t.Error("something was remembered")
	}
	other.create(t, "k", payment()).wants(t, http.StatusOK, map[string]any{"created": float64(newYear().Unix())})
}

func TestWrongTurns(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	tests := []struct{ path, body, names string }{
		{"clock", `{}`, "advance"},
		{"clock", ``, "advance"},
		{"clock", `{"advance":25}`, "advance"},
		{"clock", `{"advance":"tomorrow"}`, "advance"},
		{"clock", `{"advance":"-1h"}`, "advance"},
		{"clock", `{"advance":"2000000h"}`, "advance"},
		{"clock", `{"advance":"1h","acount":"demo"}`, "acount"},
		{"clock", `{"advance":"1h"} {}`, "one JSON object"},
		{"clock", `{"advance":`, "unexpected EOF"},
		{"clock", `[]`, "array"},
		{"reset", `{"account":["demo"]}`, "account"},
		{"reset", `{"accounts":"demo"}`, "accounts"},
		{"reset", `{"account":"` + strings.Repeat("x", 65<<10) + `"}`, "large"},
	}
	for _, test := range tests {
		got := bank.knob(t, test.path, test.body)
		got.wants(t, http.StatusBadRequest, nil)
		if message := got.text(t, "error"); !strings.Contains(message, test.names) {
			t.Errorf("%s %.40s: %q does not name %s", test.path, test.body, message, test.names)
		}
	}
	bank.knob(t, "weather", `{}`).wants(t, http.StatusNotFound, nil)
	bank.get(t, "/_emulator/clock").wants(t, http.StatusNotFound, nil)
	client{url: bank.url}.get(t, "/healthz").wants(t, http.StatusOK, map[string]any{"ok": true})
}

func TestNoWebPageTurnsAKnob(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	demo(server).create(t, "", payment())
	got, err := demo(server).do(t, http.MethodPost, "/_emulator/reset",
		http.Header{"Origin": {"https://elsewhere.example"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	if got.status != http.StatusForbidden || len(server.Charges()) != 1 {
		t.Errorf("status %d, %d charges", got.status, len(server.Charges()))
	}
}
