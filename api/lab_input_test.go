package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

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
			badAt("settings.workers", `{"settings":{"workers":0}}`),
			badAt("faults", `{"faults":null}`, `{"faults":{}}`, `{"faults":"worker.charged"}`),
			badAt("faults[0]", `{"faults":[null]}`, `{"faults":[1]}`),
			badAt("faults[0].times", `{"faults":[{"point":"api.written","action":"error","times":1.5}]}`),
			badAt("faults[0].point", `{"faults":[{"action":"error"}]}`, `{"faults":[{"point":"redis.flush"}]}`),
			// A good setting beside a bad fault is not set, nor the other way round.
			badAt("faults[0].account",
				`{"settings":{"workers":2},"faults":[{"point":"api.written","action":"error","account":"eve"}]}`),
			badAt("settings.strategy",
				`{"settings":{"strategy":"?"},"faults":[{"point":"api.written","action":"error"}]}`),
			bad("colour", `"red"`), badBodies(),
		),
		"POST /lab/faults": slices.Concat(
			badFault("point", `""`, `"api.nowhere"`, `1`, `null`), badAt("point", `{"action":"error"}`),
			badFault("action", `""`, `"explode"`, `1`, `null`), badAt("action", `{"point":"api.written"}`),
			badFault("times", `0`, `-1`, `1001`, `1.5`, `1e0`, `"1"`, `null`, `99999999999999999999`),
			badFault("skip", `-1`, `1001`, `0.5`, `"0"`, `null`),
			badFault("duration_ms", `0`, `-1`, `600001`, `1.5`, `"2000"`, `null`),
			badFault("account", `"eve"`, `"ck_demo_ayse"`, `1`, `null`),
			badFault("worker", `-1`, `9`, `1.5`, `"1"`, `null`), badFault("delivery", `-1`, `1001`, `1.5`, `"1"`,
				`null`),
			badFault("arrivals", `-1`, `9`, `2`, `1.5`, `"2"`, `null`),
			badAt("action", `{"point":"api.written","action":"disconnect"}`, `{"point":"stripe.slow","action":"hang"}`),
			badFault("colour", `"red"`), badBodies(),
		),
		"POST /lab/runs": slices.Concat(
			bad("strategy", `""`, `"exactly-once"`, `1`, `null`), bad("orders", `0`, `11`, `1.5`, `null`),
			badAt("faults[1].times", `{"faults":[{"point":"worker.charged","action":"crash"},
				{"point":"worker.charged","action":"crash","times":0}]}`),
			badAt("settings.workers", `{"settings":{"workers":0}}`),
			badAt("then[0].on", `{"then":[{"on":"later","do":"step"}]}`),
			badAt("then[0].do", `{"then":[{"on":"quiet","do":"nothing"}]}`),
			badAt("then[0].with.advance", `{"then":[{"on":"quiet","do":"clock"}]}`,
				`{"then":[{"on":"quiet","do":"clock","with":{"advance":"soon"}}]}`),
			badAt("then[0].with.times", `{"then":[{"on":"quiet","do":"redeliver","with":{"times":-1}}]}`),
			bad("colour", `"red"`), badBodies(),
		),
		"POST /lab/explore": slices.Concat(
			bad("crashes", `-1`, `4`, `1.5`, `null`), bad("deliveries", `0`, `5`, `null`), bad("workers", `0`, `3`),
			badAt("strategy[0]", `{"strategy":["exactly-once"]}`), bad("colour", `"red"`),
		),
		"POST /lab/matrix": slices.Concat(bad("colour", `"red"`), bad("strategy", `"naive"`, `null`)),
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
				t.Errorf("%s %s: got %d %s, want %d and field %q", call, c.body, answer.status, answer.body, c.status,
					c.field)
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
