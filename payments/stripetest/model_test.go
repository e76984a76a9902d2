package stripetest_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/doublecharge/payments/stripetest"
)

// A model is what the rules for keys say, in a few lines: the emulator must agree with it whatever
// is called in whatever order, across restarts.
type model struct {
	now     time.Time
	charges int
	kept    map[string]remembered
}

type remembered struct {
	form   string
	status int
	body   string
	at     time.Time
}

// call returns what is expected: the status, and the body where it must be the remembered one.
func (m *model) call(key, form string, fresh int) (status int, body string, replayed bool) {
	before, known := m.kept[key]
	switch {
	case known && m.now.Sub(before.at) < 24*time.Hour && before.form == form:
		return before.status, before.body, true
	case known && m.now.Sub(before.at) < 24*time.Hour:
		return http.StatusBadRequest, "", false
	default:
		return fresh, "", false
	}
}

func TestAgreesWithModel(t *testing.T) {
	t.Parallel()
	forms := map[string]int{
		payment():                 http.StatusOK,
		payment("amount", "3000"): http.StatusOK,
		payment("amount", "1"):    http.StatusBadRequest,
		payment("payment_method", "pm_card_chargeDeclined"): http.StatusPaymentRequired,
	}
	dir, runs := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		config := stripetest.Config{Data: filepath.Join(dir, strconv.Itoa(runs)), Now: newYear}
		server := start(t, config)
		defer func() { _ = server.Close() }()
		m := &model{now: newYear(), kept: map[string]remembered{}}
		t.Repeat(map[string]func(*rapid.T){
			"call": func(t *rapid.T) {
				key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
				form := rapid.SampledFrom(slices.Sorted(maps.Keys(forms))).Draw(t, "form")
				status, body, replayed := m.call(key, form, forms[form])
				got := serve(server, http.MethodPost, "/v1/payment_intents", key, form)
				if got.Code != status || (got.Header().Get("Idempotent-Replayed") == "true") != replayed {
					t.Fatalf("%d %v, want %d, replayed %v: %s", got.Code, got.Header(), status, replayed, got.Body)
				}
				if replayed && got.Body.String() != body {
					t.Fatalf("replayed\n%s\nwant\n%s", got.Body, body)
				}
				if !replayed && status != http.StatusBadRequest {
					m.charges++
					m.kept[key] = remembered{form: form, status: status, body: got.Body.String(), at: m.now}
				}
			},
			"advance": func(t *rapid.T) {
				d := time.Duration(rapid.IntRange(1, 30).Draw(t, "hours")) * time.Hour
				m.now = m.now.Add(d)
				if _, err := server.Advance("demo", d); err != nil {
					t.Fatal(err)
				}
			},
			"reopen": func(t *rapid.T) {
				if err := server.Close(); err != nil {
					t.Fatal(err)
				}
				server = start(t, config)
			},
			"reset": func(t *rapid.T) {
				*m = model{now: newYear(), kept: map[string]remembered{}}
				if err := server.Reset("demo"); err != nil {
					t.Fatal(err)
				}
			},
			"": func(t *rapid.T) {
				if got := len(server.Charges("demo")); got != m.charges {
					t.Fatalf("%d charges, want %d", got, m.charges)
				}
			},
		})
	})
}

func start(t *rapid.T, config stripetest.Config) *stripetest.Server {
	server, err := stripetest.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func serve(h http.Handler, method, path, key, form string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(form)) //nolint:noctx // rapid has no context to give.
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer sk_test_demo")
	r.Header.Set("Idempotency-Key", key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// A bank without HTTP, file or clock answers as the whole server does.
func TestBankAlone(t *testing.T) {
	t.Parallel()
	count := 0
	bank := stripetest.NewBank(func(prefix string) string {
		count++
		return fmt.Sprintf("%s_%d", prefix, count)
	})
	call := stripetest.Call{
		ID: "req_1", Account: "demo", Method: http.MethodPost, Path: "/v1/payment_intents", Form: payment(), Key: "k",
		At: newYear(),
	}
	first := bank.Do(call)
	call.ID = "req_2"
	again := bank.Do(call)
	if !first.Executed || !again.Replayed || again.Original != "req_1" || string(again.Body) != string(first.Body) {
		t.Errorf("%+v, then %+v", first, again)
	}
	call.At = call.At.Add(24 * time.Hour)
	if third := bank.Do(call); !third.Executed || len(bank.Charges("demo")) != 2 {
		t.Errorf("after a day: %+v", third)
	}
}

// Whatever the form, nothing panics, and the same form under the same key never charges twice.
func FuzzForm(f *testing.F) {
	f.Add(payment())
	f.Add("a[]=1&a[0]=2&metadata[=]&expand[x]&amount=1&&=&%")
	f.Fuzz(func(t *testing.T, form string) {
		bank := stripetest.NewBank(func(prefix string) string { return prefix })
		call := stripetest.Call{
			Account: "demo", Method: http.MethodPost, Path: "/v1/payment_intents", Form: form, Key: "k",
		}
		first, again := bank.Do(call), bank.Do(call)
		if first.Status != again.Status || string(first.Body) != string(again.Body) || again.Executed {
			t.Errorf("%d %s, then %d %s", first.Status, first.Body, again.Status, again.Body)
		}
	})
}
