package stripetest

import "time"

// An order is what POST /v1/payment_intents asks for.
type order struct {
	intent     PaymentIntent
	card       card
	hasCard    bool
	confirm    bool
	offSession bool
	expand     bool
}

// createIntent is POST /v1/payment_intents.
func createIntent(_ string, r *reader) execution {
	o := readOrder(r)
	return func(t *turn) (any, *apiError) {
		intent, charge, refusal := o.execute(t)
		t.entry.Intent, t.entry.Charge = intent, charge
		switch {
		case refusal != nil:
			// The outer error carries the intent, the intent the inner error: copies, or they are a ring.
			outer := *refusal
			outer.PaymentIntent = intent
			return nil, &outer
		case o.expand:
			return expandedIntent{PaymentIntent: intent, LatestCharge: charge}, nil
		default:
			return intent, nil
		}
	}
}

func readOrder(r *reader) order {
	var o order
	o.intent.Amount, o.intent.Currency = readMoney(r)
	o.intent.CaptureMethod = r.oneOf("capture_method", "automatic_async", "automatic", "automatic_async")
	o.intent.ConfirmationMethod = r.oneOf("confirmation_method", "automatic", "automatic")
	o.intent.Customer = nullable(r.text("customer"))
	o.intent.Description = nullable(r.limited("description", 1000))
	o.intent.ReceiptEmail = nullable(r.text("receipt_email"))
	o.intent.StatementDescriptorSuffix = nullable(r.limited("statement_descriptor_suffix", 22))
	o.intent.Metadata = r.metadata()
	o.intent.PaymentMethodTypes, o.intent.AutomaticPaymentMethods = readMethodTypes(r)
	r.text("return_url") // Where a redirect would lead; a card never redirects here.
	o.confirm, o.offSession = r.flag("confirm"), r.flag("off_session")
	o.expand = r.expand("latest_charge")
	o.card, o.hasCard = readCard(r)
	if o.confirm && !o.hasCard {
		r.fail(invalid("parameter_missing", "payment_method",
			"You cannot confirm this PaymentIntent because it's missing a payment method."))
	}
	if o.offSession && !o.confirm {
		r.fail(invalid("", "off_session", "off_session can only be used together with confirm=true."))
	}
	return o
}

func readCard(r *reader) (found card, given bool) {
	name := r.text("payment_method")
	if name == "" {
		return card{}, false
	}
	found, known := findCard(name)
	if !known {
		r.fail(invalid("resource_missing", "payment_method", "No such PaymentMethod: '%s'", name))
	}
	return found, known
}

// readMethodTypes accepts the two ways to say "cards": by name, or by whatever the account takes.
func readMethodTypes(r *reader) ([]string, *automaticMethods) {
	types := r.list("payment_method_types")
	for _, kind := range types {
		if kind != "card" {
			r.fail(invalid("", "payment_method_types", "The payment method type \"%s\" is invalid.", kind))
		}
	}
	enabled := r.oneOf("automatic_payment_methods[enabled]", "", "true", "false")
	redirects := r.oneOf("automatic_payment_methods[allow_redirects]", "always", "always", "never")
	if len(types) > 0 && enabled == "true" {
		r.fail(invalid("parameters_exclusive", "automatic_payment_methods",
			"You may only specify one of these parameters: automatic_payment_methods, payment_method_types."))
	}
	if len(types) > 0 || enabled == "false" {
		return []string{"card"}, nil
	}
	return []string{"card"}, &automaticMethods{AllowRedirects: redirects, Enabled: true}
}

// execute makes the intent and, when it is confirmed, attempts the card once. A refusal leaves both
// behind: an intent that waits for another card, and a failed charge.
func (o order) execute(t *turn) (*PaymentIntent, *Charge, *apiError) {
	intent := o.intent
	intent.ID, intent.Object = t.newID("pi"), "payment_intent"
	intent.ClientSecret = intent.ID + "_" + t.newID("secret")
	intent.Created = t.now.Unix()
	intent.Status = "requires_payment_method"
	if !o.hasCard {
		return &intent, nil, nil
	}
	method := newMethod(t.newID("pm"), o.card, intent.Customer, t.now)
	intent.PaymentMethod = nullable(method.ID)
	if !o.confirm {
		intent.Status = "requires_confirmation"
		return &intent, nil, nil
	}
	needsHolder, refusal := o.card.attempt(o.offSession)
	if needsHolder {
		intent.Status = "requires_action"
		intent.NextAction = &nextAction{Type: "use_stripe_sdk"}
		return &intent, nil, nil
	}
	charge := newCharge(t.newID("ch"), &intent, method, refusal)
	intent.LatestCharge = nullable(charge.ID)
	if charge.Paid {
		intent.Status = "succeeded"
		intent.AmountReceived = charge.AmountCaptured
		return &intent, charge, nil
	}
	intent.PaymentMethod = nil // The refused card is shown in the error; the intent waits for another.
	intent.LastPaymentError = cardError(refusal, charge, method)
	return &intent, charge, intent.LastPaymentError
}

// newMethod turns a test card into the payment method that stands for it on this one intent.
func newMethod(id string, c card, customer *string, now time.Time) *paymentMethod {
	return &paymentMethod{
		ID: id, Object: "payment_method", Card: c.details(now.Year()),
		Created: now.Unix(), Customer: customer, Type: "card",
	}
}
