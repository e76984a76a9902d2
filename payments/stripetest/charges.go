package stripetest

import "net/http"

// listCharges is GET /v1/charges.
func listCharges(_ string, r *reader) execution {
	page, created := r.paging(), r.created()
	intent, customer := r.equal("payment_intent"), r.equal("customer")
	r.expand("")
	return func(t *turn) (any, *apiError) {
		charges, more, err := t.account.charges.page(page, func(c *Charge) bool {
			return intent(c.PaymentIntent) && customer(c.Customer) && created(c.Created)
		})
		if err != nil {
			return nil, err
		}
		answer := list{Object: "list", Data: []any{}, HasMore: more, URL: "/v1/charges"}
		for _, charge := range charges {
			answer.Data = append(answer.Data, charge)
		}
		return answer, nil
	}
}

// getCharge is GET /v1/charges/{id}.
func getCharge(id string, r *reader) execution {
	r.expand("")
	return func(t *turn) (any, *apiError) {
		charge, found := t.account.charges.get(id)
		if !found {
			return nil, noSuch("charge", "id", id)
		}
		return charge, nil
	}
}

// newCharge is an attempt at the card for the whole amount of the intent.
func newCharge(id string, intent *PaymentIntent, method *paymentMethod, refusal decline) *Charge {
	charge := &Charge{
		ID:                   id,
		Object:               "charge",
		Amount:               intent.Amount,
		AmountCaptured:       intent.Amount,
		Captured:             true,
		Created:              method.Created,
		Currency:             intent.Currency,
		Customer:             intent.Customer,
		Description:          intent.Description,
		Metadata:             intent.Metadata,
		Paid:                 true,
		PaymentIntent:        nullable(intent.ID),
		PaymentMethod:        nullable(method.ID),
		PaymentMethodDetails: paymentMethodDetails{Card: method.Card, Type: method.Type},
		Status:               "succeeded",
		Outcome: outcome{
			NetworkStatus: "approved_by_network", RiskLevel: "normal",
			SellerMessage: "Payment complete.", Type: "authorized",
		},
	}
	if refusal == (decline{}) {
		return charge
	}
	charge.AmountCaptured, charge.Captured, charge.Paid = 0, false, false
	charge.Status = "failed"
	charge.FailureCode, charge.FailureMessage = nullable(refusal.code), nullable(refusal.message)
	charge.Outcome = outcome{
		NetworkStatus: "declined_by_network", Reason: nullable(refusal.declineCode), RiskLevel: "normal",
		SellerMessage: "The bank did not return any further details with this decline.", Type: "issuer_declined",
	}
	return charge
}

// cardError is the refusal as the caller sees it, without the objects it is attached to.
func cardError(refusal decline, charge *Charge, method *paymentMethod) *apiError {
	err := newError(http.StatusPaymentRequired, "card_error", refusal.code, refusal.message)
	err.DeclineCode = refusal.declineCode
	err.Charge = charge.ID
	err.PaymentMethod = method
	return err
}
