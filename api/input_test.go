package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/doublecharge/api"
)

// card stands in bodies where a customer might put what must never be logged.
const card = "4242424242424242"

// TestABadCheckoutIsRefusedByName goes through every field. The problem names it, nothing is written,
// and nothing is logged.
func TestABadCheckoutIsRefusedByName(t *testing.T) {
	t.Parallel()
	// body fills the one thing that a case is about into a good checkout.
	body := func(currency, items, method string) string {
		return `{"currency":` + currency + `,"items":` + items + `,"payment_method":` + method + `}`
	}
	const try, one, visa = `"try"`, `[{"sku":"espresso","quantity":1}]`, `"pm_card_visa"`
	currency := func(value string) string { return body(value, one, visa) }
	items := func(value string) string { return body(try, value, visa) }
	method := func(value string) string { return body(try, one, value) }
	sku := func(value string) string { return items(`[{"sku":` + value + `,"quantity":1}]`) }
	quantity := func(value string) string { return items(`[{"sku":"espresso","quantity":` + value + `}]`) }

	s := open(t)
	for _, c := range []struct {
		name, body string
		status     int
		field      string
	}{
		{"currency missing", `{"items":` + one + `,"payment_method":` + visa + `}`, 422, "currency"},
		{"currency empty", currency(`""`), 422, "currency"},
		{"currency null", currency(`null`), 422, "currency"},
		{"currency number", currency(`949`), 422, "currency"},
		{"currency in capitals", currency(`"TRY"`), 422, "currency"},
		{"currency unknown", currency(`"gbp"`), 422, "currency"},
		{"currency list", currency(`["try"]`), 422, "currency"},

		{"items missing", `{"currency":"try","payment_method":` + visa + `}`, 422, "items"},
		{"items empty", items(`[]`), 422, "items"},
		{"items null", items(`null`), 422, "items"},
		{"items object", items(`{}`), 422, "items"},
		{"items text", items(`"espresso"`), 422, "items"},
		{"items 51", items(`[` + strings.Repeat(`{"sku":"espresso","quantity":1},`, 50) + one[1:]), 422, "items"},
		{"item null", items(`[null]`), 422, "items[0]"},
		{"item text", items(`["espresso"]`), 422, "items[0]"},
		{"item number in the second place", items(`[{"sku":"espresso","quantity":1},7]`), 422, "items[1]"},
		{"item with a price", items(`[{"sku":"espresso","quantity":1,"price":1}]`), 422, "items[0].price"},
		{"items dear", items(`[{"sku":"grinder","quantity":201}]`), 422, "items"},

		{"sku missing", items(`[{"quantity":1}]`), 422, "items[0].sku"},
		{"sku empty", sku(`""`), 422, "items[0].sku"},
		{"sku null", sku(`null`), 422, "items[0].sku"},
		{"sku number", sku(`1`), 422, "items[0].sku"},
		{"sku unknown", sku(`"tea"`), 422, "items[0].sku"},
		{"sku with a zero byte", sku(`"espresso\u0000"`), 422, "items[0].sku"},
		{"sku twice", items(`[{"sku":"espresso","sku":"espresso","quantity":1}]`), 422, "items[0].sku"},

		{"quantity missing", items(`[{"sku":"espresso"}]`), 422, "items[0].quantity"},
		{"quantity zero", quantity(`0`), 422, "items[0].quantity"},
		{"quantity minus zero", quantity(`-0`), 422, "items[0].quantity"},
		{"quantity negative", quantity(`-1`), 422, "items[0].quantity"},
		{"quantity null", quantity(`null`), 422, "items[0].quantity"},
		{"quantity text", quantity(`"1"`), 422, "items[0].quantity"},
		{"quantity true", quantity(`true`), 422, "items[0].quantity"},
		{"quantity float", quantity(`1.5`), 422, "items[0].quantity"},
		{"quantity float that is whole", quantity(`1.0`), 422, "items[0].quantity"},
		{"quantity exponent", quantity(`1e3`), 422, "items[0].quantity"},
		{"quantity beyond int64", quantity(`9223372036854775808`), 422, "items[0].quantity"},
		{"quantity largest int64", quantity(`9223372036854775807`), 422, "items[0].quantity"},
		{"quantity least int64", quantity(`-9223372036854775808`), 422, "items[0].quantity"},
		{"quantity beyond any float", quantity(`1e999`), 422, "items[0].quantity"},
		{"quantity twice", items(`[{"sku":"espresso","quantity":1,"quantity":1}]`), 422, "items[0].quantity"},

		{"card missing", `{"currency":"try","items":` + one + `}`, 422, "payment_method"},
		{"card empty", method(`""`), 422, "payment_method"},
		{"card null", method(`null`), 422, "payment_method"},
		{"card number", method(card), 422, "payment_method"},
		{"card number as text", method(`"` + card + `"`), 422, "payment_method"},
		{"card unknown", method(`"pm_card_unknown"`), 422, "payment_method"},
		{"card object", method(`{"number":"` + card + `"}`), 422, "payment_method"},

		{"unknown field", `{"amount":1,` + coffee[1:], 422, "amount"},
		{"field in other case", `{"Currency":"try",` + coffee[1:], 422, "Currency"},
		{"field twice", `{"currency":"try",` + coffee[1:], 422, "currency"},
		{"field twice by escapes", `{"\u0063urrency":"try",` + coffee[1:], 422, "currency"},

		{"null", `null`, 422, "body"},
		{"list", `[]`, 422, "body"},
		{"text", `"coffee"`, 422, "body"},
		{"number", `1`, 422, "body"},
		{"no fields", `{}`, 422, "currency"},
		{"white space", "  \n", 400, ""},
		{"not JSON", `coffee`, 400, ""},
		{"form", `currency=try`, 400, ""},
		{"cut off", coffee[:len(coffee)-1], 400, ""},
		{"something after it", coffee + `x`, 400, ""},
		{"twice", coffee + coffee, 400, ""},
		{"comma at the end", coffee[:len(coffee)-1] + `,}`, 400, ""},
		{"comment", `/* */` + coffee, 400, ""},
		{"not UTF-8", "{\"currency\":\"\xff\"}", 400, ""},
		{"NaN", quantity(`NaN`), 400, ""},
		{"hexadecimal", quantity(`0x1`), 400, ""},
		{"leading zero", quantity(`01`), 400, ""},
		{"deep", strings.Repeat(`[`, 20000), 400, ""},
		{"over 64 KiB", coffee + strings.Repeat(" ", 64<<10), 413, ""},
		{"far over 64 KiB", strings.Repeat("x", 1<<20), 413, ""},
	} {
		answer := s.buy(t, "ayse", "k", c.body)
		p := answer.problem(t)
		if answer.status != c.status || p.Field != c.field {
			t.Errorf("%s: got %d %q (%s), want %d %q", c.name, answer.status, p.Field, p.Detail, c.status, c.field)
		}
		if p.Detail == "" || strings.Contains(p.Detail, card) {
			t.Errorf("%s: detail %q", c.name, p.Detail)
		}
	}
	s.wantOrders(t, 0)
	if text := s.logs.String(); text != "" {
		t.Errorf("logged: %s", text)
	}
	// None of it used the key up.
	if answer := s.buy(t, "ayse", "k", coffee+strings.Repeat(" ", 64<<10-len(coffee))); answer.status != http.StatusAccepted {
		t.Errorf("a good checkout of exactly 64 KiB after all that: %d %s", answer.status, answer.body)
	}
}

func TestABadHeaderIsRefusedByName(t *testing.T) {
	t.Parallel()
	s := open(t)
	key := func(lines ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header["Idempotency-Key"] = lines }
	}
	media := func(lines ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header["Content-Type"] = lines }
	}
	for _, c := range []struct {
		name   string
		edit   func(*http.Request)
		status int
		title  string
	}{
		{"no key", key(), 400, "Idempotency-Key is missing"},
		{"empty key", key(""), 400, "Idempotency-Key is missing"},
		{"blank key", key("  "), 400, "Idempotency-Key is missing"},
		{"two keys", key("a", "a"), 400, "Idempotency-Key is malformed"},
		{"empty string", key(`""`), 400, "Idempotency-Key is malformed"},
		{"unclosed quote", key(`"abc`), 400, "Idempotency-Key is malformed"},
		{"256 bytes", key(strings.Repeat("k", 256)), 400, "Idempotency-Key is malformed"},
		{"256 bytes in quotes", key(`"` + strings.Repeat("k", 256) + `"`), 400, "Idempotency-Key is malformed"},
		{"space inside", key("a b"), 400, "Idempotency-Key is malformed"},
		{"not ASCII", key("ödeme"), 400, "Idempotency-Key is malformed"},

		{"no content type", media(), 415, "Unsupported content type"},
		{"a form", media("application/x-www-form-urlencoded"), 415, "Unsupported content type"},
		{"text", media("text/plain"), 415, "Unsupported content type"},
		{"a patch", media("application/merge-patch+json"), 415, "Unsupported content type"},
		{"nonsense", media("application/json;;"), 415, "Unsupported content type"},
	} {
		answer := s.do(t, http.MethodPost, "/v1/checkouts", coffee, from("ayse"), as("Idempotency-Key", "k"), c.edit)
		if p := answer.problem(t); answer.status != c.status || p.Title != c.title || p.Detail == "" {
			t.Errorf("%s: got %d %s", c.name, answer.status, answer.body)
		}
	}
	s.wantOrders(t, 0)
	for _, good := range []string{"application/json; charset=utf-8", "Application/JSON"} {
		answer := s.do(t, http.MethodPost, "/v1/checkouts", coffee, from("ayse"), as("Idempotency-Key", good[:5]), media(good))
		if answer.status != http.StatusAccepted {
			t.Errorf("%s: got %d %s", good, answer.status, answer.body)
		}
	}
}

// TestABadRequestToTheLabIsRefusedByName goes through every field of every control.
func TestABadRequestToTheLabIsRefusedByName(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	order := s.buy(t, "ayse", "k", coffee).order(t).ID
	other := s.buy(t, "mert", "k", coffee).order(t)
	before := s.rows(t)
	redeliver := "POST /lab/orders/" + order + "/redeliver"
	const unknown = "0197a1c2-0000-7000-8000-000000000001"

	for call, cases := range map[string][]badCase{
		"PUT /lab/settings": slices.Concat(
			bad("strategy", `""`, `"exactly-once"`, `1`, `null`, `["naive"]`, `true`),
			bad("checkout", `""`, `"sometimes"`, `1`, `null`), bad("enqueue", `""`, `"pigeon"`, `{}`, `null`),
			bad("workers", `0`, `-1`, `9`, `1.5`, `1.0`, `1e0`, `"1"`, `null`, `99999999999999999999`),
			bad("slow_ms", `-1`, `60001`, `0.5`, `"0"`, `null`, `1e999`),
			bad("step", `1`, `"true"`, `null`, `[]`),
			bad("retry_ms", `0`, `"500"`, `null`, `{}`, `[0]`, `[-1]`, `[3600001]`, `[1,2,3,4,5,6,7,8,9,10,11]`),
			badAt("retry_ms[1]", `{"retry_ms":[500,1.5]}`, `{"retry_ms":[500,"2000"]}`, `{"retry_ms":[500,null]}`),
			bad("lease_ms", `0`, `99`, `-1`, `3600001`, `1.5`, `null`),
			bad("colour", `"red"`), badAt("step", `{"step":true,"step":true}`), badBodies(),
		),
		"PUT /lab/setup": slices.Concat(
			badAt("settings", `{"settings":null}`, `{"settings":[]}`, `{"settings":{},"settings":{}}`),
			badAt("settings.workers", `{"settings":{"workers":"1"}}`, `{"settings":{"workers":null}}`),
			badAt("settings.colour", `{"settings":{"colour":"red"}}`),
			badAt("workers", `{"settings":{"workers":0}}`),
			badAt("faults", `{"faults":null}`, `{"faults":{}}`, `{"faults":"worker.charged"}`),
			badAt("faults[0]", `{"faults":[null]}`, `{"faults":[1]}`),
			badAt("faults[0].times", `{"faults":[{"point":"api.written","action":"error","times":1.5}]}`),
			badAt("point", `{"faults":[{"action":"error"}]}`),
			// A good setting beside a bad fault is not set, nor the other way round.
			badAt("account", `{"settings":{"workers":2},"faults":[{"point":"api.written","action":"error","account":"eve"}]}`),
			badAt("strategy", `{"settings":{"strategy":"?"},"faults":[{"point":"api.written","action":"error"}]}`),
			bad("colour", `"red"`), badBodies(),
		),
		"POST /lab/faults": slices.Concat(
			badFault("point", `""`, `"api.nowhere"`, `1`, `null`), badAt("point", `{"action":"error"}`),
			badFault("action", `""`, `"explode"`, `1`, `null`), badAt("action", `{"point":"api.written"}`),
			badFault("times", `0`, `-1`, `1001`, `1.5`, `1e0`, `"1"`, `null`, `99999999999999999999`),
			badFault("skip", `-1`, `1001`, `0.5`, `"0"`, `null`),
			badFault("duration_ms", `0`, `-1`, `600001`, `1.5`, `"2000"`, `null`),
			badFault("account", `"eve"`, `"ck_demo_ayse"`, `1`, `null`),
			badFault("worker", `-1`, `9`, `1.5`, `"1"`, `null`), badFault("delivery", `-1`, `1001`, `1.5`, `"1"`, `null`),
			badFault("colour", `"red"`), badBodies(),
		),
		"POST /lab/step": slices.Concat(
			bad("instance", `0`, `-1`, `1.5`, `"7"`, `null`, `99999999999999999999`), bad("colour", `"red"`),
			badBodies(),
		),
		"POST /lab/clock": slices.Concat(
			bad("advance", `""`, `"0s"`, `"-1h"`, `"8761h"`, `"soon"`, `"25"`, `25`, `null`, `"999999999999h"`),
			badAt("advance", `{}`, `{"advance":"1h","advance":"1h"}`), bad("colour", `"red"`), badBodies(),
		),
		redeliver: slices.Concat(
			bad("times", `0`, `-1`, `101`, `1.5`, `1e0`, `"1"`, `null`, `99999999999999999999`),
			bad("message_id", `"x"`, `1`, `null`, `"urn:uuid:`+unknown+`"`, `"`+unknown+`"`),
			bad("message_id", `"`+other.Attempts[0].MessageID+`"`), bad("colour", `"red"`), badBodies(),
		),
	} {
		method, path, _ := strings.Cut(call, " ")
		for _, c := range cases {
			answer := s.do(t, method, path, c.body)
			if p := answer.problem(t); answer.status != c.status || p.Field != c.field || p.Detail == "" {
				t.Errorf("%s %s: got %d %s, want %d and field %q", call, c.body, answer.status, answer.body, c.status, c.field)
			}
		}
		over := s.do(t, method, path, `{"colour":"`+strings.Repeat("x", 64<<10)+`"}`)
		if over.problem(t); over.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s with over 64 KiB: %d %s", call, over.status, over.body)
		}
		form := s.do(t, method, path, `{}`, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") })
		if form.problem(t); form.status != http.StatusUnsupportedMediaType {
			t.Errorf("%s as text: %d %s", call, form.status, form.body)
		}
	}
	if after := s.rows(t); after != before {
		t.Errorf("the tables had %+v and have %+v", before, after)
	}
	if text := s.logs.String(); text != "" {
		t.Errorf("logged: %s", text)
	}
}

// badCase is a body and what is said to it.
type badCase struct {
	body   string
	status int
	field  string
}

// bad gives the field bad values, one at a time.
func bad(field string, values ...string) []badCase {
	return around(field, `{"`, `}`, values)
}

// badFault gives the field of a fault that is good otherwise bad values.
func badFault(field string, values ...string) []badCase {
	good := map[string]string{"point": `{"action":"error","`, "action": `{"point":"api.written","`}
	begin, ok := good[field]
	if !ok {
		begin = `{"point":"api.written","action":"error","`
	}
	return around(field, begin, `}`, values)
}

func around(field, begin, end string, values []string) []badCase {
	var cases []badCase
	for _, value := range values {
		cases = append(cases, badCase{begin + field + `":` + value + end, http.StatusUnprocessableEntity, field})
	}
	return cases
}

// badAt is for bodies of their own.
func badAt(field string, bodies ...string) []badCase {
	var cases []badCase
	for _, body := range bodies {
		cases = append(cases, badCase{body, http.StatusUnprocessableEntity, field})
	}
	return cases
}

// badBodies are no objects.
func badBodies() []badCase {
	return append(badAt("body", `null`, `[]`, `1`, `"x"`),
		badCase{`x`, 400, ""}, badCase{`{`, 400, ""}, badCase{`{} {}`, 400, ""}, badCase{` `, 400, ""})
}

func TestABadQueryOrPathIsRefusedByName(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	const id = "0197a1c2-0000-7000-8000-000000000001"
	noIDs := []string{"x", "0", "-1", id[:35], id + "0", "urn:uuid:" + id, "%7B" + id + "%7D", strings.ReplaceAll(id, "-", ""), "%00"}
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
		for _, call := range []string{"GET /v1/nothing", "POST /v1/nothing", "GET /v1", "GET /lab/nothing", "PUT /lab/nothing"} {
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
	if answer := openLab(t).do(t, http.MethodPost, "/lab/faults", `{"point":"api.written","action":"crash"}`); answer.status != http.StatusCreated {
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
