package stripetest_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/doublecharge/payments/stripetest"
)

// A message is delivered twice. Without a key the bank charges twice; with the message's id as the
// key it answers the second delivery with the first one's answer, until it has forgotten the key.
func ExampleNewServer() {
	t := &exampleTB{} // A test passes its own t.
	defer t.done()
	bank := stripetest.NewServer(t)

	deliver := func(key string) {
		r, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, bank.URL+"/v1/payment_intents",
			strings.NewReader("amount=42000&currency=try&payment_method=pm_card_visa&confirm=true"))
		r.SetBasicAuth("sk_test_demo", "")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Idempotency-Key", key)
		answer, err := (&http.Client{Timeout: time.Second}).Do(r)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer answer.Body.Close() //nolint:errcheck // The example is about the header.
		fmt.Printf("key %q: %d, replayed %q, %d charges\n", key, answer.StatusCode,
			answer.Header.Get("Idempotent-Replayed"), len(bank.Charges()))
	}
	deliver("")
	deliver("")
	deliver("message-1")
	deliver("message-1")
	bank.Advance(25 * time.Hour)
	deliver("message-1")

	// Output:
	// key "": 200, replayed "", 1 charges
	// key "": 200, replayed "", 2 charges
	// key "message-1": 200, replayed "", 3 charges
	// key "message-1": 200, replayed "true", 3 charges
	// key "message-1": 200, replayed "", 4 charges
}

// exampleTB stands in for a *testing.T, which an example does not have.
type exampleTB struct{ cleanups []func() }

func (*exampleTB) Helper()                           {}
func (t *exampleTB) Cleanup(f func())                { t.cleanups = append(t.cleanups, f) }
func (*exampleTB) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (t *exampleTB) done() {
	for _, f := range t.cleanups {
		f()
	}
}
