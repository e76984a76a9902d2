package stripetest_test

import (
	"encoding/base64"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"example.com/doublecharge/payments/stripetest"
)

func basic(key string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(key+":"))
}

func TestKeysThatWork(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	demo(server).create(t, "", payment())
	for _, auth := range []string{
		"Bearer sk_test_demo", "bearer sk_test_demo", "Bearer rk_test_demo",
		basic("sk_test_demo"), basic("rk_test_demo"),
	} {
		client{url: server.URL, auth: auth}.get(t, "/v1/charges").wants(t, http.StatusOK,
			map[string]any{"data.0.amount": 2000.0})
	}
}

func TestKeysThatDoNot(t *testing.T) {
	t.Parallel()
	var logged logs
	server := stripetest.NewServerWith(t, stripetest.Config{Logger: logged.logger()})
	for _, auth := range []string{
		"", "sk_test_demo", "Bearer", "Bearer sk_test_", "Bearer pk_test_51secret", "Bearer secret", basic(""),
		"Bearer sk_live_51secret", "Bearer rk_live_51secret", basic("sk_live_51secret"), "Digest sk_test_demo",
	} {
		got := client{url: server.URL, auth: auth}.create(t, "k", payment())
		got.wants(t, http.StatusUnauthorized, map[string]any{"error.type": "invalid_request_error"})
		if strings.Contains(got.body, "secret") {
			t.Errorf("the key of %q is in %s", auth, got.body)
		}
		if got.header.Get("Request-Id") == "" || got.header.Get("WWW-Authenticate") == "" {
			t.Errorf("headers of a 401: %v", got.header)
		}
	}
	for _, auth := range []string{"Bearer sk_live_51secret", "Bearer rk_live_51secret", basic("sk_live_51secret")} {
		got := client{url: server.URL, auth: auth}.get(t, "/v1/charges")
		if !strings.Contains(got.text(t, "error.message"), "refuses live keys") {
			t.Errorf("%q got %s", auth, got.body)
		}
	}
	if strings.Contains(logged.String(), "secret") {
		t.Errorf("a key was logged: %s", logged.String())
	}
	if got := server.Requests(); len(got) != 0 {
		t.Errorf("an account heard of %v", got)
	}
}

func TestLogSaysWhoAndWhatButNoSecrets(t *testing.T) {
	t.Parallel()
	var logged logs
	server := stripetest.NewServerWith(t, stripetest.Config{Logger: logged.logger()})
	got := demo(server).create(t, "the-key", payment("payment_method", "pm_card_chargeDeclined"))
	lines := logged.String()
	for _, want := range []string{
		"method=POST", "path=/v1/payment_intents", "account=demo", "status=402",
		"request_id=" + got.header.Get("Request-Id"), "in memory",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %s in %s", want, lines)
		}
	}
	for _, secret := range []string{"sk_test", "_secret_", "the-key", "2000", "o1"} {
		if strings.Contains(lines, secret) {
			t.Errorf("%s in %s", secret, lines)
		}
	}
}

// The key of somebody's real test mode must not become the name of an account that is logged.
func TestLongKeysAreHashed(t *testing.T) {
	t.Parallel()
	var logged logs
	server := stripetest.NewServerWith(t, stripetest.Config{Logger: logged.logger()})
	const rest = "51AbcdefghijklmnopqrstuvwxyzABCDEF"
	demo(server).as(rest).create(t, "", payment()).wants(t, http.StatusOK, nil)
	client{url: server.URL, auth: "Bearer rk_test_" + rest}.get(t, "/v1/charges").wants(t, http.StatusOK,
		map[string]any{"data.0.amount": 2000.0})
	if strings.Contains(logged.String(), rest) || !strings.Contains(logged.String(), "account=acct_") {
		t.Errorf("logged: %s", logged.String())
	}
}

// logs is a log that a test can read while it is written.
type logs struct {
	mu    sync.Mutex
	lines strings.Builder
}

func (l *logs) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func (l *logs) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(line)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}
