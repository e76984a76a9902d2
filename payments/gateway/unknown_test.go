package gateway_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/gateway"
)

// clientSecret stands in what the bank sends and must never come out of an error.
const clientSecret = "pi_1_secret_dontshow"

// strange is a bank that gives one and the same answer.
func strange(t *testing.T, status int, contentType, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const problemBody = `{"error":{"type":"%TYPE%","message":"key sk_test_gatewaysecret, card pm_card_visa",` +
	`"payment_intent":{"id":"pi_1","client_secret":"` + clientSecret + `"}}}`

func problemOf(kind string) string {
	return problemBody[:len(`{"error":{"type":"`)] + kind + problemBody[len(`{"error":{"type":"%TYPE%`):]
}

// TestWhatTheBankDidNotSayIsUnknown: whoever reports these as declined loses a charge, and whoever
// reports them as charged loses the money.
func TestWhatTheBankDidNotSayIsUnknown(t *testing.T) {
	t.Parallel()
	intent := `{"id":"pi_1","object":"payment_intent","client_secret":"` + clientSecret + `","livemode":`
	for name, c := range map[string]struct {
		status int
		media  string
		body   string
		want   error
	}{
		"in flight":        {409, "application/json", problemOf("idempotency_error"), payments.ErrUnknown},
		"too many":         {429, "application/json", problemOf("invalid_request_error"), payments.ErrUnknown},
		"broken":           {500, "application/json", problemOf("api_error"), payments.ErrUnknown},
		"a gateway's page": {502, "text/html", "<h1>Bad Gateway</h1> " + clientSecret, payments.ErrUnknown},
		"not JSON":         {200, "text/html", clientSecret, payments.ErrUnknown},
		"half of it":       {200, "application/json", intent, payments.ErrUnknown},
		"empty":            {200, "application/json", "", payments.ErrUnknown},
		"nothing in it":    {200, "application/json", "{}", payments.ErrUnknown},
		"still processing": {200, "application/json", intent + `false,"status":"processing"}`, payments.ErrUnknown},
		"without a charge": {200, "application/json", intent + `false,"status":"succeeded"}`, payments.ErrUnknown},
		"wants its holder": {
			200, "application/json", intent + `false,"status":"requires_action"}`,
			payments.ErrUnknown,
		},
		"key not accepted": {401, "application/json", problemOf("invalid_request_error"), payments.ErrUnknown},
		"request refused":  {400, "application/json", problemOf("invalid_request_error"), payments.ErrHopeless},
		"no such thing":    {404, "application/json", problemOf("invalid_request_error"), payments.ErrHopeless},
		"answer in livemode": {
			200, "application/json", intent + `true,"status":"succeeded","latest_charge":"ch_1"}`,
			payments.ErrHopeless,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, sent := connect(t, strange(t, c.status, c.media, c.body))
			outcome, err := g.Charge(t.Context(), job("m1"), "m1")
			wantError(t, err, c.want)
			if outcome != (payments.Outcome{}) {
				t.Errorf("beside the error there is an outcome: %+v", outcome)
			}
			if n := sent.calls.Load(); n != 1 {
				t.Errorf("%d requests for one call", n)
			}
			_, found, err := g.Find(t.Context(), job("m1"))
			if c.status >= http.StatusBadRequest {
				wantError(t, err, c.want)
			}
			if found {
				t.Error("found in an answer like this")
			}
		})
	}
}

// TestADeclineWithoutACodeIsADecline: an empty code would read as charged.
func TestADeclineWithoutACodeIsADecline(t *testing.T) {
	t.Parallel()
	g, _ := connect(t, strange(t, http.StatusPaymentRequired, "application/json", problemOf("card_error")))
	if outcome, err := g.Charge(t.Context(), job("m1"), "m1"); err != nil || outcome.Charged() {
		t.Errorf("got %+v, %v", outcome, err)
	}
}

// TestACallThatIsCutIsUnknown: the bank may have it.
func TestACallThatIsCutIsUnknown(t *testing.T) {
	t.Parallel()
	reached := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // From here on the server sees that the caller hangs up.
		reached <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	g, _ := connect(t, server.URL)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-reached
		cancel()
	}()
	_, err := g.Charge(ctx, job("m1"), "m1")
	wantError(t, err, payments.ErrUnknown)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not say that the caller gave up", err)
	}
}

func TestABankThatIsNotThereIsUnknown(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	g, sent := connect(t, server.URL)
	_, err := g.Charge(t.Context(), job("m1"), "m1")
	wantError(t, err, payments.ErrUnknown)
	if n := sent.calls.Load(); n != 1 {
		t.Errorf("%d requests for one call", n)
	}
	_, found, err := g.Find(t.Context(), job("m1"))
	wantError(t, err, payments.ErrUnknown)
	if found {
		t.Error("found at a bank that is not there")
	}
	_, err = g.Charges(t.Context(), job("m1").CreatedAt)
	wantError(t, err, payments.ErrUnavailable)
	if errors.Is(err, payments.ErrUnknown) {
		t.Errorf("a statement that cannot be read leaves nothing unknown: %v", err)
	}
}

func TestAContextThatEndedIsUnknown(t *testing.T) {
	t.Parallel()
	g, err := gateway.New(gateway.Config{Key: secretKey, BaseURL: strange(t, 200, "application/json", "{}")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Charge(expired(t), job("m1"), "m1")
	wantError(t, err, payments.ErrUnknown)
}
