package api_test

import (
	"net/http"
	"strings"
	"testing"
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
		{"deep", strings.Repeat(`[`, 20000), 422, "body"},
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
	exactly := coffee + strings.Repeat(" ", 64<<10-len(coffee))
	if answer := s.buy(t, "ayse", "k", exactly); answer.status != http.StatusAccepted {
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
		answer := s.do(t, http.MethodPost, "/v1/checkouts", coffee, from("ayse"), as("Idempotency-Key", good[:5]),
			media(good))
		if answer.status != http.StatusAccepted {
			t.Errorf("%s: got %d %s", good, answer.status, answer.body)
		}
	}
}
