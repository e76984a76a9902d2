package stripetest_test

import (
	"net/http"
	"testing"

	"example.com/doublecharge/payments/stripetest"
)

func TestRefusedCards(t *testing.T) {
	t.Parallel()
	tests := []struct{ card, code, decline, last4, message string }{
		{"chargeDeclined", "card_declined", "generic_decline", "0002", "Your card was declined."},
		{
			"chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds", "9995",
			"Your card has insufficient funds.",
		},
		{"chargeDeclinedLostCard", "card_declined", "lost_card", "9987", "Your card was declined."},
		{"chargeDeclinedStolenCard", "card_declined", "stolen_card", "9979", "Your card was declined."},
		{"chargeDeclinedExpiredCard", "expired_card", "expired_card", "0069", ""},
		{"chargeDeclinedIncorrectCvc", "incorrect_cvc", "incorrect_cvc", "0127", ""},
		{"chargeDeclinedProcessingError", "processing_error", "processing_error", "0119", ""},
		{"chargeDeclinedVelocityLimitExceeded", "card_declined", "card_velocity_exceeded", "6975", ""},
		{"chargeDeclinedFraudulent", "card_declined", "fraudulent", "0019", ""},
		{"chargeCustomerFail", "card_declined", "generic_decline", "0341", ""},
	}
	for _, test := range tests {
		for _, spelling := range []string{"pm_card_", "pm_card_visa_"} {
			t.Run(spelling+test.card, func(t *testing.T) {
				t.Parallel()
				bank := demo(stripetest.NewServer(t))
				got := bank.create(t, "", payment("payment_method", spelling+test.card))
				got.wants(t, http.StatusPaymentRequired, map[string]any{
					"error.type": "card_error", "error.code": test.code, "error.decline_code": test.decline,
					"error.payment_intent.status":                          "requires_payment_method",
					"error.payment_intent.amount_received":                 0.0,
					"error.payment_intent.payment_method":                  nil,
					"error.payment_intent.latest_charge":                   got.at(t, "error.charge"),
					"error.payment_intent.last_payment_error.code":         test.code,
					"error.payment_intent.last_payment_error.decline_code": test.decline,
					"error.payment_method.object":                          "payment_method",
					"error.payment_method.card.last4":                      test.last4,
				})
				for _, field := range []string{"error.doc_url", "error.request_log_url", "error.message"} {
					if got.text(t, field) == "" {
						t.Errorf("no %s in %s", field, got.body)
					}
				}
				if message := got.text(t, "error.message"); test.message != "" && message != test.message {
					t.Errorf("message = %q, want %q", message, test.message)
				}
				bank.get(t, "/v1/charges/"+got.text(t, "error.charge")).wants(t, http.StatusOK, map[string]any{
					"status": "failed", "paid": false, "captured": false, "amount": 2000.0, "amount_captured": 0.0,
					"failure_code": test.code, "outcome.reason": test.decline, "outcome.type": "issuer_declined",
					"payment_intent": got.at(t, "error.payment_intent.id"), "metadata.order_id": "o1",
				})
				bank.get(t, "/v1/payment_intents/"+got.text(t, "error.payment_intent.id")).wants(t, http.StatusOK,
					map[string]any{"status": "requires_payment_method", "last_payment_error.code": test.code})
			})
		}
	}
}

func TestCardsThatPay(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	for name, last4 := range map[string]string{"visa": "4242", "mastercard": "4444", "refundFail": "5126"} {
		bank.create(t, "", payment("payment_method", "pm_card_"+name, "expand[]", "latest_charge")).wants(t,
			http.StatusOK, map[string]any{"latest_charge.payment_method_details.card.last4": last4})
	}
}

func TestAuthenticationRequired(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"authenticationRequired", "authenticationRequiredOnSetup"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := stripetest.NewServer(t)
			bank := demo(server)
			bank.create(t, "", payment("payment_method", "pm_card_"+name)).wants(t, http.StatusOK, map[string]any{
				"status": "requires_action", "next_action.type": "use_stripe_sdk", "latest_charge": nil,
			})
			if charges := server.Charges(); len(charges) != 0 {
				t.Errorf("charged before its holder agreed: %v", charges)
			}
			bank.create(t, "", payment("payment_method", "pm_card_"+name, "off_session", "true")).wants(t,
				http.StatusPaymentRequired, map[string]any{
					"error.code": "authentication_required", "error.decline_code": "authentication_required",
					"error.message": "Your card was declined. This transaction requires authentication.",
				})
		})
	}
}
