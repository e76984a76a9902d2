package api_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/api"
	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments/gateway"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/payments/stripetest"
)

const bankKey = "sk_test_apitests"

// openLab starts a shop with the lab's controls: the real lab and bank, and a broker that is not there.
func openLab(t *testing.T, changes ...func(*api.Config)) *shop {
	t.Helper()
	url := stripetest.NewServer(t).URL
	bank, err := gateway.New(gateway.Config{Key: bankKey, BaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	withLab := func(c *api.Config) {
		store, _ := c.Store.(*postgres.Store)
		c.Lab = &lab.Lab{
			Store: store, Queues: &rabbit.Inspector{URL: "amqp://127.0.0.1:1/"}, Bank: bank,
			Emulator: lab.NewEmulator(url, bankKey), Log: slog.New(slog.DiscardHandler),
		}
	}
	return open(t, append([]func(*api.Config){withLab}, changes...)...)
}

func TestSettingsChangeOnlyWhatTheyName(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	first := s.do(t, http.MethodPut, "/lab/settings", `{"strategy":"naive","slow_ms":5}`)
	want := `{"strategy":"naive","checkout":"same-transaction","enqueue":"outbox","workers":1,"slow_ms":5,` +
		`"step":false,"retry_ms":[500,2000,10000],"lease_ms":5000}` + "\n"
	if first.status != http.StatusOK || first.body != want {
		t.Errorf("got %d %s", first.status, first.body)
	}
	second := s.do(t, http.MethodPut, "/lab/settings", `{"workers":2,"retry_ms":[]}`)
	want = strings.NewReplacer(`"workers":1`, `"workers":2`, `[500,2000,10000]`, `[]`).Replace(want)
	if second.body != want {
		t.Errorf("got %d %s", second.status, second.body)
	}
	if nothing := s.do(t, http.MethodPut, "/lab/settings", `{}`); nothing.body != want {
		t.Errorf("got %d %s", nothing.status, nothing.body)
	}
}

// TestASetupReplacesTheFaults: with none mentioned, none is armed.
func TestASetupReplacesTheFaults(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	armed := s.do(t, http.MethodPost, "/lab/faults",
		`{"point":"worker.charged","action":"crash","account":"mert","worker":1,"delivery":1}`)
	if armed.status != http.StatusCreated ||
		!strings.Contains(armed.body, `"times":1,"skip":0,"duration_ms":2000,"account":"mert"`) {
		t.Errorf("got %d %s", armed.status, armed.body)
	}
	s.do(t, http.MethodPut, "/lab/setup",
		`{"faults":[{"point":"api.written","action":"hang","times":3,"skip":2,"duration_ms":7}]}`)
	got, err := s.store.Armed(t.Context())
	want := []step.Fault{{Point: step.APIWritten, Action: step.Hang, Times: 3, Skip: 2, DurationMS: 7}}
	if len(got) == 1 {
		got[0].ID = 0
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("armed (-want +got): %v\n%s", err, diff)
	}
	if answer := s.do(t, http.MethodPut, "/lab/setup", `{}`); answer.status != http.StatusOK {
		t.Errorf("got %d %s", answer.status, answer.body)
	}
	if n := s.rows(t).Faults; n != 0 {
		t.Errorf("%d faults after a setup without any", n)
	}
	s.do(t, http.MethodPost, "/lab/faults", `{"point":"worker.charged","action":"crash"}`)
	if answer := s.do(t, http.MethodDelete, "/lab/faults", ""); answer.status != http.StatusNoContent ||
		s.rows(t).Faults != 0 {
		t.Errorf("disarmed: %d, %d left", answer.status, s.rows(t).Faults)
	}
}

func TestTheStrategyOfTheMomentIsTakenIntoTheAttempt(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	for _, strategy := range []string{"", "naive", "seen-set"} {
		want := "seen-set-and-key"
		if strategy != "" {
			s.do(t, http.MethodPut, "/lab/settings", `{"strategy":"`+strategy+`"}`)
			want = strategy
		}
		order := s.buy(t, "ayse", want, coffee)
		var got string
		err := s.store.Pool().QueryRow(t.Context(), `SELECT strategy FROM attempts WHERE message_id = $1`,
			order.order(t).Attempts[0].MessageID).Scan(&got)
		if err != nil || got != want {
			t.Errorf("after %q: %q, %v", strategy, got, err)
		}
	}
}

func TestARedeliveryIsTheSameMessageAgain(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	order := s.buy(t, "ayse", "k", coffee).order(t)
	for _, body := range []string{
		``, `{}`, `{"times":2}`,
		`{"message_id":"` + strings.ToUpper(order.Attempts[0].MessageID) + `"}`,
	} {
		answer := s.do(t, http.MethodPost, "/lab/orders/"+order.ID+"/redeliver", body)
		if answer.status != http.StatusAccepted {
			t.Errorf("%s: %d %s", body, answer.status, answer.body)
		}
	}
	var messages, different int
	err := s.store.Pool().QueryRow(t.Context(),
		`SELECT count(*), count(DISTINCT message_id) FROM outbox`).Scan(&messages, &different)
	if err != nil || messages != 1+1+1+2+1 || different != 1 {
		t.Errorf("%d messages with %d ids, %v", messages, different, err)
	}
}

func TestStatementAndVerdictAskTheBank(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	order := s.buy(t, "ayse", "k", coffee).order(t)
	s.buy(t, "mert", "k", coffee)
	statement := s.do(t, http.MethodGet, "/lab/statement?account=ayse", "")
	want := `{"bank":{"lines":[]},"ledger":{"lines":[{"order_id":"` + order.ID + `","status":"pending",` +
		`"amount":42000,"currency":"try","charge_id":"","points":0,"receipts":0}]}}` + "\n"
	if statement.status != http.StatusOK || statement.body != want {
		t.Errorf("got %d %s\nwant %s", statement.status, statement.body, want)
	}
	all := s.do(t, http.MethodGet, "/lab/statement", "")
	if n := strings.Count(all.body, "order_id"); n != 2 {
		t.Errorf("the statement of all accounts has %d lines: %s", n, all.body)
	}
	if mail := s.do(t, http.MethodGet, "/lab/mailbox?order="+order.ID, ""); mail.body != `{"letters":[]}`+"\n" {
		t.Errorf("mailbox: %d %s", mail.status, mail.body)
	}
	if dead := s.do(t, http.MethodGet, "/lab/dead-letters", ""); dead.body != `{"dead_letters":[]}`+"\n" {
		t.Errorf("dead letters: %d %s", dead.status, dead.body)
	}
}

func TestTheClockOfTheBankMovesWithTheLabs(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	for _, path := range []string{"/lab/clock", "/lab/stripe/clock"} {
		if answer := s.do(t, http.MethodPost, path, `{"advance":"25h"}`); answer.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, answer.status, answer.body)
		}
	}
	if ahead, _, err := s.store.Clock(t.Context()); err != nil || ahead != 50*time.Hour {
		t.Errorf("the lab is %v ahead, %v", ahead, err)
	}
	real := openLab(t, func(c *api.Config) {
		if l, ok := c.Lab.(*lab.Lab); ok {
			l.Emulator = nil
		}
	})
	if answer := real.do(t, http.MethodPost, "/lab/clock", `{"advance":"25h"}`); answer.status != http.StatusConflict {
		t.Errorf("in Stripe's test mode: %d %s", answer.status, answer.body)
	}
}

func TestNobodyToLetGoIsAConflict(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	for _, body := range []string{``, `{}`, `{"instance":7}`} {
		answer := s.do(t, http.MethodPost, "/lab/step", body)
		if p := answer.problem(t); answer.status != http.StatusConflict || p.Detail != "conflict: nobody waits" {
			t.Errorf("%s: %d %s; logged: %s", body, answer.status, answer.body, s.logs)
		}
	}
}

// TestABrokerThatIsNotThereIsA503: what went wrong is logged, and not told. Waiting goes on meanwhile,
// for as long as it was asked to: the broker may come back.
func TestABrokerThatIsNotThereIsA503(t *testing.T) {
	t.Parallel()
	s := openLab(t)
	answer := s.do(t, http.MethodGet, "/lab/state", "")
	if p := answer.problem(t); answer.status != http.StatusServiceUnavailable || p.Detail != "" ||
		answer.header.Get("Retry-After") == "" {
		t.Errorf("the state: %d %s", answer.status, answer.body)
	}
	if wait := s.do(t, http.MethodGet, "/lab/wait?timeout=300ms", ""); wait.status != http.StatusGatewayTimeout {
		t.Errorf("the wait: %d %s", wait.status, wait.body)
	}
	if text := s.logs.String(); !strings.Contains(text, "127.0.0.1:1") {
		t.Errorf("logged: %s", text)
	}
}

func TestABankThatIsNotThereIsNoStatement(t *testing.T) {
	t.Parallel()
	s := openLab(t, func(c *api.Config) {
		bank, err := gateway.New(gateway.Config{Key: bankKey, BaseURL: "http://127.0.0.1:1"})
		if err != nil {
			t.Error(err)
		}
		if l, ok := c.Lab.(*lab.Lab); ok {
			l.Bank = bank
		}
	})
	answer := s.do(t, http.MethodGet, "/lab/statement", "")
	if p := answer.problem(t); answer.status != http.StatusServiceUnavailable || p.Title != "Not available now" {
		t.Errorf("got %d %s", answer.status, answer.body)
	}
	if text := s.logs.String(); strings.Contains(text, bankKey) {
		t.Errorf("logged: %s", text)
	}
}

// TestCheckoutsWaitForAReset: the table is being cleared under their feet.
func TestCheckoutsWaitForAReset(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *api.Config) { c.Lab = resettingLab{} })
	answer := s.buy(t, "ayse", "k", coffee)
	if answer.problem(t); answer.status != http.StatusServiceUnavailable || answer.header.Get("Retry-After") == "" {
		t.Errorf("got %d %s", answer.status, answer.body)
	}
	s.wantOrders(t, 0)
}

// resettingLab is a lab in the midst of a reset.
type resettingLab struct{ api.Lab }

func (resettingLab) Resetting() bool { return true }
