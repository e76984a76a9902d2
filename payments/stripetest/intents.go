package stripetest

// getIntent is GET /v1/payment_intents/{id}.
func getIntent(id string, r *reader) execution {
	expand := r.expand("latest_charge")
	return func(t *turn) (any, *apiError) {
		intent, found := t.account.intents.get(id)
		if !found {
			return nil, noSuch("payment_intent", "intent", id)
		}
		return t.account.show(intent, expand), nil
	}
}

// listIntents is GET /v1/payment_intents.
func listIntents(_ string, r *reader) execution {
	page, created, customer := r.paging(), r.created(), r.equal("customer")
	expand := r.expand("data.latest_charge")
	return func(t *turn) (any, *apiError) {
		intents, more, err := t.account.intents.page(page, func(i *PaymentIntent) bool {
			return customer(i.Customer) && created(i.Created)
		})
		if err != nil {
			return nil, err
		}
		answer := list{Object: "list", Data: []any{}, HasMore: more, URL: "/v1/payment_intents"}
		for _, intent := range intents {
			answer.Data = append(answer.Data, t.account.show(intent, expand))
		}
		return answer, nil
	}
}

// expandedIntent shows the charge itself where a PaymentIntent has its id.
type expandedIntent struct {
	*PaymentIntent
	LatestCharge *Charge `json:"latest_charge"`
}

func (a *account) show(intent *PaymentIntent, expand bool) any {
	if !expand {
		return intent
	}
	expanded := expandedIntent{PaymentIntent: intent}
	if intent.LatestCharge != nil {
		expanded.LatestCharge, _ = a.charges.get(*intent.LatestCharge)
	}
	return expanded
}
