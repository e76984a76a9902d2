package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/doublecharge/api"
)

// limit bounds every wait of these tests. None comes near it unless something is wrong.
const limit = 30 * time.Second

func wantReplay(t *testing.T, got, first reply) {
	t.Helper()
	if got.status != first.status || got.body != first.body || got.header.Get("Idempotent-Replayed") != "true" ||
		got.header.Get("Location") != first.header.Get("Location") ||
		got.header.Get("Content-Type") != first.header.Get("Content-Type") {
		t.Errorf("got %d %v %s\nwant a replay of %d %v %s", got.status, got.header, got.body, first.status,
			first.header, first.body)
	}
}

func TestARepetitionIsAnsweredWithTheSameBytes(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.buy(t, "ayse", "abc", coffee)
	if first.status != http.StatusAccepted || first.header.Get("Idempotent-Replayed") != "" {
		t.Fatalf("got %d %v", first.status, first.header)
	}
	for _, key := range []string{"abc", `"abc"`, `"abc";v=1`} {
		wantReplay(t, s.buy(t, "ayse", key, coffee), first)
	}
	// What is sent is compared, and not how it is written down.
	for _, same := range []string{
		"\n { \"payment_method\" : \"pm_card_visa\",\r\n\t" +
			`"items":[ {"quantity":1, "sku":"filter-coffee"} ], "currency":"try" } `,
		`{"currency":"\u0074ry","items":[{"sku":"filter\u002dcoffee","quantity":1}],"payment_method":"pm_card_visa"}`,
	} {
		wantReplay(t, s.buy(t, "ayse", "abc", same), first)
	}
	second := openOn(t, s.options) // Another process.
	wantReplay(t, second.buy(t, "ayse", "abc", coffee), first)
	s.wantOrders(t, 1)
}

// TestAReplayShowsTheAnswerOfThatMoment, also when the order went on meanwhile.
func TestAReplayShowsTheAnswerOfThatMoment(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.buy(t, "ayse", "k", coffee)
	if _, err := s.store.Pool().Exec(t.Context(), `UPDATE orders SET status = 'paid', points = 420`); err != nil {
		t.Fatal(err)
	}
	wantReplay(t, s.buy(t, "ayse", "k", coffee), first)
}

func TestAKeyWithAnotherRequestIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.buy(t, "ayse", "k", coffee)
	for name, change := range map[string][2]string{
		"quantity": {`"quantity":1`, `"quantity":2`}, "sku": {"filter-coffee", "espresso"},
		"currency": {`"try"`, `"eur"`}, "card": {"pm_card_visa", "pm_card_mastercard"},
		"one line more": {`}]`, `},{"sku":"espresso","quantity":1}]`},
	} {
		answer := s.buy(t, "ayse", "k", strings.Replace(coffee, change[0], change[1], 1))
		if p := answer.problem(t); answer.status != http.StatusUnprocessableEntity ||
			p.Title != "Idempotency-Key is already used" {
			t.Errorf("another %s: %d %s", name, answer.status, answer.body)
		}
	}
	query := s.do(t, http.MethodPost, "/v1/checkouts?a=1", coffee, from("ayse"), as("Idempotency-Key", "k"))
	if query.problem(t); query.status != http.StatusUnprocessableEntity {
		t.Errorf("another query: %d %s", query.status, query.body)
	}
	wantReplay(t, s.buy(t, "ayse", "k", coffee), first)
	s.wantOrders(t, 1)
}

func TestTwoAccountsMayHaveTheSameKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	ayse, mert := s.buy(t, "ayse", "k", coffee), s.buy(t, "mert", "k", coffee)
	if ayse.status != http.StatusAccepted || mert.status != http.StatusAccepted ||
		ayse.order(t).ID == mert.order(t).ID {
		t.Errorf("ayse %d %s\nmert %d %s", ayse.status, ayse.body, mert.status, mert.body)
	}
	s.wantOrders(t, 2)
	wantReplay(t, s.buy(t, "mert", "k", coffee), mert)
}

// expire lets the time of a key be over.
func (s *shop) expire(t *testing.T, key string) {
	t.Helper()
	tag, err := s.store.Pool().Exec(t.Context(),
		`UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = $1`, key)
	if err != nil || tag.RowsAffected() != 1 {
		t.Fatalf("expire %s: %v, %v", key, tag, err)
	}
}

func TestAKeyWhoseTimeIsOverIsANewKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.buy(t, "ayse", "k", coffee).order(t)
	s.expire(t, "k")
	// Another request, which under a living key would be refused.
	second := s.buy(t, "ayse", "k", strings.Replace(coffee, "try", "eur", 1))
	if second.status != http.StatusAccepted || second.header.Get("Idempotent-Replayed") != "" ||
		second.order(t).ID == first.ID {
		t.Errorf("got %d %v %s", second.status, second.header, second.body)
	}
	if got, want := s.rows(t), (rows{Orders: 2, Attempts: 2, Outbox: 2, Keys: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	wantReplay(t, s.buy(t, "ayse", "k", strings.Replace(coffee, "try", "eur", 1)), second)
}

func TestAKeyLivesForADay(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := open(t, func(c *api.Config) { c.Now = func() time.Time { return now } })
	s.buy(t, "ayse", "k", coffee)
	var expires time.Time
	err := s.store.Pool().QueryRow(t.Context(), `SELECT expires_at FROM idempotency_keys`).Scan(&expires)
	if err != nil {
		t.Fatal(err)
	}
	if got := expires.Sub(now.Truncate(time.Microsecond)); got != 24*time.Hour {
		t.Errorf("it expires after %v", got)
	}
}
