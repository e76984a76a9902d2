package explore_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/stripetest"
)

// TestTheModelsBankIsTheEmulators asks both the same things in the same order. The emulator's core shares
// no code with the model, nor with anything else of ours.
func TestTheModelsBankIsTheEmulators(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		emulator := stripetest.NewBank(func(prefix string) string { n++; return fmt.Sprintf("%s_%d", prefix, n) })
		model, now := explore.NewBank(), time.Unix(1_800_000_000, 0)
		key := rapid.SampledFrom([]payments.Key{payments.NoKey, "k1", "k2", "k3"})
		for range rapid.IntRange(1, 30).Draw(t, "calls") {
			order := rapid.IntRange(0, 1).Draw(t, "order")
			switch rapid.SampledFrom([]string{"charge", "charge", "charge", "forget"}).Draw(t, "what") {
			case "forget":
				now = now.Add(25 * time.Hour)
				model.Forget()
			default:
				k := key.Draw(t, "key")
				answer := emulator.Do(stripetest.Call{
					ID: "req", Account: "demo", Method: "POST", Path: "/v1/payment_intents", At: now,
					Key: string(k), Form: form(order),
				})
				got, err := model.Charge(order, k)
				if refused := answer.Status == 400; refused != errors.Is(err, payments.ErrHopeless) {
					t.Fatalf("the emulator says %d, the model %v", answer.Status, err)
				}
				if err == nil && !got.Charged() {
					t.Fatalf("the model declines")
				}
			}
			for order := range 2 {
				if real := charges(emulator, order); real != model.Charges(order) {
					t.Fatalf("order %d: the emulator charged it %d times, the model %d", order, real,
						model.Charges(order))
				}
				if _, found := model.Find(order); found != (model.Charges(order) > 0) {
					t.Fatalf("order %d: found is %t with %d charges", order, found, model.Charges(order))
				}
			}
		}
	})
}

func form(order int) string {
	return url.Values{
		"amount": {"42000"}, "currency": {"try"}, "payment_method": {"pm_card_visa"}, "confirm": {"true"},
		"payment_method_types[]": {"card"}, "metadata[message_id]": {fmt.Sprintf("m%d", order)},
	}.Encode()
}

func charges(bank *stripetest.Bank, order int) int {
	n := 0
	for _, charge := range bank.Charges("demo") {
		if strings.HasSuffix(charge.Metadata["message_id"], fmt.Sprint(order)) {
			n++
		}
	}
	return n
}
