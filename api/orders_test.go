package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"example.com/doublecharge/api"
	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
)

// page is one page of a list.
type page struct {
	Orders []payments.Order
	Next   *string
}

func (s *shop) page(t *testing.T, account, after string) (ids []string, next *string) {
	t.Helper()
	answer := s.do(t, http.MethodGet, "/v1/orders"+after, "", from(account))
	var p page
	if err := json.Unmarshal([]byte(answer.body), &p); err != nil || answer.status != http.StatusOK || p.Orders == nil {
		t.Fatalf("got %d %s, %v", answer.status, answer.body, err)
	}
	for _, order := range p.Orders {
		ids = append(ids, order.ID)
	}
	return ids, p.Next
}

func TestOrdersAreListedNewestFirstByFifties(t *testing.T) {
	t.Parallel()
	s := open(t)
	none := s.do(t, http.MethodGet, "/v1/orders", "", from("ayse"))
	if none.body != `{"next":null,"orders":[]}`+"\n" {
		t.Errorf("without orders: %d %s", none.status, none.body)
	}
	var bought []string // The newest first.
	buy := func() {
		order := s.buy(t, "ayse", "key-"+strconv.Itoa(len(bought)), coffee).order(t)
		bought = slices.Insert(bought, 0, order.ID)
	}
	for range 50 {
		buy()
		s.buy(t, "mert", "key-"+strconv.Itoa(len(bought)), coffee)
	}
	if ids, next := s.page(t, "ayse", ""); !slices.Equal(ids, bought) || next != nil {
		t.Errorf("of exactly 50 orders: %d, next %v", len(ids), next)
	}
	for range 53 {
		buy()
	}
	var read []string
	sizes, after := []int{}, ""
	for {
		ids, next := s.page(t, "ayse", after)
		read, sizes = append(read, ids...), append(sizes, len(ids))
		if next == nil {
			break
		}
		if len(sizes) == 1 {
			buy() // What comes in meanwhile moves no page.
		}
		after = "?after=" + *next
	}
	if !slices.Equal(read, bought[1:]) || !slices.Equal(sizes, []int{50, 50, 3}) {
		t.Errorf("read %d orders in pages of %v, want the %d", len(read), sizes, len(bought)-1)
	}
	if ids, next := s.page(t, "alice", ""); len(ids) != 0 || next != nil {
		t.Errorf("alice, who bought nothing, sees %d orders", len(ids))
	}
}

func TestAnOrderIsSeenByItsAccountOnly(t *testing.T) {
	t.Parallel()
	s := open(t)
	order := s.buy(t, "ayse", "k", coffee)
	location := order.header.Get("Location")
	if own := s.do(t, http.MethodGet, location, "", from("ayse")); own.status != http.StatusOK ||
		own.body != order.body {
		t.Errorf("ayse: %d %s", own.status, own.body)
	}
	if other := s.do(t, http.MethodGet, location, "", from("mert")); other.status != http.StatusNotFound {
		t.Errorf("mert: %d %s", other.status, other.body)
	}
	if ids, _ := s.page(t, "mert", "?after=ffffffff-ffff-7fff-bfff-ffffffffffff"); len(ids) != 0 {
		t.Errorf("mert sees %v", ids)
	}
}

// TestReadinessIsServedBeforeTheDatabaseIsUp, and says what is waited for.
func TestReadinessIsServedBeforeTheDatabaseIsUp(t *testing.T) {
	t.Parallel()
	nowhere, err := postgres.Open(t.Context(), "postgres://127.0.0.1:1/none?sslmode=disable", postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nowhere.Close)
	readiness := &lab.Readiness{Store: nowhere, Queues: &rabbit.Inspector{URL: "amqp://127.0.0.1:1/"}, Now: time.Now}
	s := open(t, func(c *api.Config) { c.Store, c.Parts = nowhere, readiness.Parts }, withPage)
	answer := s.do(t, http.MethodGet, "/readyz", "")
	want := `{"ready":false,"parts":[` +
		`{"name":"database","ready":false,"waiting_for":"the database with its schema","seconds":0},` +
		`{"name":"broker","ready":false,"waiting_for":"the broker to accept connections","seconds":0},` +
		`{"name":"relay","ready":false,"waiting_for":"a relay with a connection to the broker","seconds":0},` +
		`{"name":"worker","ready":false,"waiting_for":"a consumer on the job queue","seconds":0},` +
		`{"name":"mailer","ready":false,"waiting_for":"a mailer with a connection to the database","seconds":0},` +
		`{"name":"bank","ready":true,"waiting_for":"","seconds":0}]}` + "\n"
	if answer.status != http.StatusServiceUnavailable || answer.body != want {
		t.Errorf("got  %d %s\nwant %s", answer.status, answer.body, want)
	}
	if health := s.do(t, http.MethodGet, "/healthz", ""); health.status != http.StatusOK {
		t.Errorf("healthz: %d %s", health.status, health.body)
	}
	if index := s.do(t, http.MethodGet, "/", ""); index.status != http.StatusOK {
		t.Errorf("the page: %d", index.status)
	}
	buying := s.buy(t, "ayse", "k", coffee)
	if p := buying.problem(t); buying.status != http.StatusServiceUnavailable ||
		buying.header.Get("Retry-After") == "" || p.Detail != "" {
		t.Errorf("a checkout: %d %s", buying.status, buying.body)
	}
}

func TestReadyIsWhenEveryPartIs(t *testing.T) {
	t.Parallel()
	parts := []step.Part{{Name: "database"}, {Name: "broker"}}
	s := open(t, func(c *api.Config) { c.Parts = func(context.Context) []step.Part { return parts } })
	for _, ready := range [][]bool{{true, false}, {false, true}, {true, true}} {
		parts[0].Ready, parts[1].Ready = ready[0], ready[1]
		want := http.StatusServiceUnavailable
		if ready[0] && ready[1] {
			want = http.StatusOK
		}
		if answer := s.do(t, http.MethodGet, "/readyz", ""); answer.status != want {
			t.Errorf("%v: %d %s", ready, answer.status, answer.body)
		}
	}
}
