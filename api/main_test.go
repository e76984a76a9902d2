package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"example.com/doublecharge/api"
	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(served{m},
		goleak.IgnoreTopFunction("example.com/doublecharge/lab/stack.WatchParent.func1")) // It ends with the process.
}

// served runs the tests with the database around them.
type served struct{ m *testing.M }

func (s served) Run() int { return stacktest.Main(s.m, stack.Postgres(true)) }

// coffee is a good checkout.
const coffee = `{"currency":"try","items":[{"sku":"filter-coffee","quantity":1}],"payment_method":"pm_card_visa"}`

// shop is the api over HTTP, on tables of its own.
type shop struct {
	options postgres.Options
	store   *postgres.Store
	config  api.Config
	client  *http.Client
	url     string
	logs    *logs
}

// open starts a shop; each change is made to its configuration before.
func open(t *testing.T, changes ...func(*api.Config)) *shop {
	t.Helper()
	options := postgrestest.Options(t)
	options.LockTimeout, options.MaxConns = 250*time.Millisecond, 24 // As the program has them.
	return openOn(t, options, changes...)
}

// openOn starts one more shop on the same tables, as a second process would be.
func openOn(t *testing.T, options postgres.Options, changes ...func(*api.Config)) *shop {
	t.Helper()
	s := &shop{options: options, store: postgrestest.OpenWith(t, options), logs: &logs{}}
	s.config = api.Config{
		Store: s.store,
		Parts: func(context.Context) []step.Part { return nil },
		Log:   slog.New(slog.NewJSONHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, change := range changes {
		change(&s.config)
	}
	server := httptest.NewServer(api.New(s.config))
	t.Cleanup(server.Close)
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	s.url, s.client = server.URL, &http.Client{Transport: transport, Timeout: time.Minute}
	return s
}

// withProbe observes both the layer and the store, as the program does.
func withProbe(r step.Recorder) func(*api.Config) {
	return func(c *api.Config) {
		c.Probe = step.Probe{Recorder: r}
		if store, ok := c.Store.(*postgres.Store); ok {
			c.Store = store.WithProbe(c.Probe)
		}
	}
}

// reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

// problem is the body of an error.
func (r reply) problem(t *testing.T) (p struct {
	Title, Detail, Field string
	Status               int
},
) {
	t.Helper()
	if media := r.header.Get("Content-Type"); media != "application/problem+json" {
		t.Errorf("an error of type %q: %d %s", media, r.status, r.body)
	}
	if err := json.Unmarshal([]byte(r.body), &p); err != nil {
		t.Errorf("the problem is no JSON: %v: %s", err, r.body)
	}
	if p.Status != r.status || p.Title == "" {
		t.Errorf("the problem of a %d is %s", r.status, r.body)
	}
	return p
}

func (r reply) order(t *testing.T) payments.Order {
	t.Helper()
	var order payments.Order
	if err := json.Unmarshal([]byte(r.body), &order); err != nil || order.ID == "" {
		t.Fatalf("no order: %d %s, %v", r.status, r.body, err)
	}
	return order
}

// as sends one header line; several are several lines.
func as(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header[name] = append(r.Header[name], value) }
}

// from is an account's key.
func from(account string) func(*http.Request) { return as("Authorization", "Bearer ck_demo_"+account) }

// request makes a request with a JSON body, unless the body is "".
func (s *shop) request(t *testing.T, method, path, body string, edits ...func(*http.Request)) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, edit := range edits {
		edit(r)
	}
	return r
}

// send sends a request. It may be called by any goroutine.
func (s *shop) send(r *http.Request) (reply, error) {
	response, err := s.client.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Header, string(body)}, err
}

func (s *shop) do(t *testing.T, method, path, body string, edits ...func(*http.Request)) reply {
	t.Helper()
	got, err := s.send(s.request(t, method, path, body, edits...))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// buy is a checkout of an account under a key.
func (s *shop) buy(t *testing.T, account, key, body string) reply {
	t.Helper()
	return s.do(t, http.MethodPost, "/v1/checkouts", body, from(account), as("Idempotency-Key", key))
}

// rows counts what the shop and the lab have written.
type rows struct{ Orders, Attempts, Outbox, Keys, Settings, Faults, Clocks int }

func (s *shop) rows(t *testing.T) rows {
	t.Helper()
	counts, err := s.store.Pool().Query(t.Context(), `SELECT
		(SELECT count(*) FROM orders), (SELECT count(*) FROM attempts), (SELECT count(*) FROM outbox),
		(SELECT count(*) FROM idempotency_keys), (SELECT count(*) FROM lab_settings),
		(SELECT count(*) FROM lab_faults), (SELECT count(*) FROM lab_clock WHERE ahead <> '0')`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectExactlyOneRow(counts, pgx.RowToStructByPos[rows])
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// wantOrders checks that there are so many orders, each with all that belongs to it.
func (s *shop) wantOrders(t *testing.T, n int) {
	t.Helper()
	if got, want := s.rows(t), (rows{Orders: n, Attempts: n, Outbox: n, Keys: n}); got != want {
		t.Errorf("the tables have %+v, want %+v", got, want)
	}
}

// logs keeps what was logged.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
