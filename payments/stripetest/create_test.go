package stripetest_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/doublecharge/payments/stripetest"
)

func TestCreateCharges(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)

	intent := bank.create(t, "", payment("description", "Two coffees", "customer", "cus_1"))
	intent.wants(t, http.StatusOK, map[string]any{
		"object": "payment_intent", "amount": 2000.0, "amount_received": 2000.0, "currency": "eur",
		"status": "succeeded", "livemode": false, "capture_method": "automatic_async",
		"confirmation_method": "automatic", "metadata.order_id": "o1", "payment_method_types.0": "card",
		"last_payment_error": nil, "next_action": nil, "canceled_at": nil, "customer": "cus_1",
		"description": "Two coffees", "amount_capturable": 0.0, "shipping": nil, "transfer_data": nil,
	})
	if secret := intent.text(t, "client_secret"); !strings.HasPrefix(secret, intent.text(t, "id")+"_secret_") {
		t.Errorf("client_secret = %q", secret)
	}
	if method := intent.text(t, "payment_method"); !strings.HasPrefix(method, "pm_") || method == "pm_card_visa" {
		t.Errorf("payment_method = %q, want an id of its own", method)
	}

	charge := bank.get(t, "/v1/charges/"+intent.text(t, "latest_charge"))
	charge.wants(t, http.StatusOK, map[string]any{
		"object": "charge", "amount": 2000.0, "amount_captured": 2000.0, "amount_refunded": 0.0,
		"billing_details.email": nil, "captured": true, "created": intent.at(t, "created"), "currency": "eur",
		"disputed": false, "livemode": false, "metadata.order_id": "o1", "paid": true, "refunded": false,
		"status": "succeeded", "payment_intent": intent.text(t, "id"), "description": "Two coffees",
		"payment_method": intent.text(t, "payment_method"), "customer": "cus_1", "failure_code": nil,
		"outcome.type": "authorized", "payment_method_details.type": "card",
		"payment_method_details.card.last4": "4242", "payment_method_details.card.brand": "visa",
		"payment_method_details.card.exp_month": 12.0,
	})
	if again := bank.get(t, "/v1/payment_intents/"+intent.text(t, "id")); again.body != intent.body {
		t.Errorf("GET shows %s, POST showed %s", again.body, intent.body)
	}
	if got := len(server.Charges()); got != 1 {
		t.Errorf("%d charges, want 1", got)
	}
}

func TestCreateWithoutConfirm(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	bank.create(t, "", payment("confirm", "")).wants(t, http.StatusOK, map[string]any{
		"status": "requires_confirmation", "latest_charge": nil, "amount_received": 0.0,
	})
	bank.create(t, "", payment("confirm", "false", "payment_method", "")).wants(t, http.StatusOK, map[string]any{
		"status": "requires_payment_method", "latest_charge": nil, "payment_method": nil,
	})
	if charges := server.Charges(); len(charges) != 0 {
		t.Errorf("charged without confirm: %v", charges)
	}
}

func TestExpandLatestCharge(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	intent := bank.create(t, "", payment("expand[0]", "latest_charge"))
	want := map[string]any{"latest_charge.object": "charge", "latest_charge.metadata.order_id": "o1"}
	intent.wants(t, http.StatusOK, want)
	bank.get(t, "/v1/payment_intents/"+intent.text(t, "id")+"?expand[]=latest_charge").wants(t, http.StatusOK, want)
	bank.get(t, "/v1/payment_intents?expand[]=data.latest_charge").wants(t, http.StatusOK,
		map[string]any{"data.0.latest_charge.object": "charge"})
	bank.create(t, "", payment("confirm", "", "expand[0]", "latest_charge")).wants(t, http.StatusOK,
		map[string]any{"latest_charge": nil})
	bank.create(t, "", payment("expand[]", "customer")).wants(t, http.StatusBadRequest,
		map[string]any{"error.param": "expand"})
}

func TestMethodTypes(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	bank.create(t, "", payment("payment_method_types[]", "")).wants(t, http.StatusOK, map[string]any{
		"automatic_payment_methods.enabled": true, "payment_method_types.0": "card",
	})
	automatic := payment("payment_method_types[]", "", "automatic_payment_methods[enabled]", "true",
		"automatic_payment_methods[allow_redirects]", "never")
	bank.create(t, "", automatic).wants(t, http.StatusOK,
		map[string]any{"automatic_payment_methods.allow_redirects": "never"})
	bank.create(t, "", payment()).wants(t, http.StatusOK, map[string]any{"automatic_payment_methods": nil})
}

func TestInvalidParameters(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	const automatic = "automatic_payment_methods"
	long := strings.Repeat("x", 41)
	tests := map[string]struct{ form, code, param string }{
		"amount missing":          {payment("amount", ""), "parameter_missing", "amount"},
		"currency missing":        {payment("currency", ""), "parameter_missing", "currency"},
		"amount empty":            {payment("amount", "") + "&amount=", "parameter_invalid_empty", "amount"},
		"amount a fraction":       {payment("amount", "10.5"), "parameter_invalid_integer", "amount"},
		"amount a word":           {payment("amount", "ten"), "parameter_invalid_integer", "amount"},
		"amount beyond 64 bits":   {payment("amount", "99999999999999999999"), "parameter_invalid_integer", "amount"},
		"amount zero":             {payment("amount", "0", "currency", "try"), "parameter_invalid_integer", "amount"},
		"amount negative":         {payment("amount", "-1"), "parameter_invalid_integer", "amount"},
		"amount small":            {payment("amount", "49"), "amount_too_small", "amount"},
		"amount small in yen":     {payment("amount", "49", "currency", "jpy"), "amount_too_small", "amount"},
		"amount large":            {payment("amount", "100000000"), "amount_too_large", "amount"},
		"amount off step":         {payment("amount", "855", "currency", "kwd"), "parameter_invalid_integer", "amount"},
		"amount a hash":           {payment("amount", "", "amount[x]", "1"), "parameter_unknown", "amount[x]"},
		"currency unknown":        {payment("currency", "xyz"), "", "currency"},
		"currency in capitals":    {payment("currency", "EUR"), "", "currency"},
		"card unknown":            {payment("payment_method", "pm_card_nope"), "resource_missing", "payment_method"},
		"method not a card":       {payment("payment_method", "pm_1"), "resource_missing", "payment_method"},
		"confirm without a card":  {payment("payment_method", ""), "parameter_missing", "payment_method"},
		"confirm no flag":         {payment("confirm", "yes"), "", "confirm"},
		"off_session alone":       {payment("confirm", "", "off_session", "true"), "", "off_session"},
		"unknown":                 {payment("amnt", "1"), "parameter_unknown", "amnt"},
		"unknown beats missing":   {payment("amount", "", "amnt", "1"), "parameter_unknown", "amnt"},
		"nested unknown":          {payment(automatic+"[x]", "1"), "parameter_unknown", automatic + "[x]"},
		"metadata key long":       {payment("metadata["+long+"]", "1"), "", "metadata[" + long + "]"},
		"metadata key brackets":   {payment("metadata[a][b]", "1"), "", "metadata[a][b]"},
		"metadata value long":     {payment("metadata[a]", strings.Repeat("x", 501)), "", "metadata[a]"},
		"metadata no hash":        {payment("metadata", "x"), "parameter_unknown", "metadata"},
		"metadata many":           {payment(many("metadata[k%]", 50)...), "", "metadata"},
		"description long":        {payment("description", strings.Repeat("x", 1001)), "", "description"},
		"method type":             {payment("payment_method_types[]", "klarna"), "", "payment_method_types"},
		"method type no array":    {payment("payment_method_types", "card"), "", "payment_method_types"},
		"method type by name":     {payment("payment_method_types[x]", "card"), "", "payment_method_types"},
		"types and automatic":     {payment(automatic+"[enabled]", "true"), "parameters_exclusive", automatic},
		"capture by hand":         {payment("capture_method", "manual"), "", "capture_method"},
		"given twice":             {payment() + "&amount=3000", "", "amount"},
		"given as element twice":  {payment() + "&payment_method_types[0]=card", "", "payment_method_types[0]"},
		"not UTF-8":               {payment() + "&description=%ff", "", ""},
		"broken escape":           {payment() + "&description=%zz", "", ""},
		"thousands of parameters": {strings.Repeat("a[]&", 2000), "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bank := demo(server).as("bad")
			want := map[string]any{"error.type": "invalid_request_error", "error.code": nil, "error.param": nil}
			if test.code != "" {
				want["error.code"] = test.code
			}
			if test.param != "" {
				want["error.param"] = test.param
			}
			got := bank.create(t, "", test.form)
			got.wants(t, http.StatusBadRequest, want)
			if got.text(t, "error.message") == "" {
				t.Error("no message")
			}
		})
	}
	t.Cleanup(func() {
		if charges := server.Charges(); len(charges) != 0 {
			t.Errorf("an invalid call charged: %v", charges)
		}
	})
}

func many(name string, count int) []string {
	var form []string
	for i := range count {
		form = append(form, strings.Replace(name, "%", string(rune('a'+i/26))+string(rune('a'+i%26)), 1), "v")
	}
	return form
}

func TestAmountsThatAreFine(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	tests := []struct{ currency, amount string }{
		{"usd", "50"},
		{"eur", "50"},
		{"gbp", "30"},
		{"try", "1"},
		{"try", "42000"},
		{"jpy", "50"},
		{"kwd", "3100"},
		{"krw", "100"},
		{"cad", "50"},
		{"aud", "50"},
		{"chf", "50"},
		{"eur", "99999999"},
		{"isk", "100"},
		{"mxn", "1000"},
	}
	for _, test := range tests {
		t.Run(test.currency+" "+test.amount, func(t *testing.T) {
			t.Parallel()
			demo(server).create(t, "", payment("currency", test.currency, "amount", test.amount)).
				wants(t, http.StatusOK, map[string]any{"currency": test.currency, "status": "succeeded"})
		})
	}
}

func TestMetadataAtItsLimits(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	key, value := strings.Repeat("ş", 40), strings.Repeat("ğ", 500)
	bank.create(t, "", payment("metadata["+key+"]", value)+"&metadata[gone]=").wants(t, http.StatusOK,
		map[string]any{"metadata." + key: value, "metadata.gone": nil})
	bank.create(t, "", payment("metadata[order_id]", "")+"&metadata=").wants(t, http.StatusOK, nil)
}

func TestWrongBodies(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	bank.create(t, "", payment("description", strings.Repeat("x", 2<<20))).wants(t,
		http.StatusRequestEntityTooLarge, map[string]any{"error.type": "invalid_request_error"})
	got, err := bank.do(t, http.MethodPost, "/v1/payment_intents", http.Header{"Content-Type": {"application/json"}},
		`{"amount":2000}`)
	if err != nil {
		t.Fatal(err)
	}
	got.wants(t, http.StatusBadRequest, map[string]any{"error.type": "invalid_request_error"})
	if !strings.Contains(got.text(t, "error.message"), "Content-Type") {
		t.Errorf("JSON got %s", got.body)
	}
}

func TestUnknownIDsAndRoutes(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	missing := map[string]any{"error.type": "invalid_request_error", "error.code": "resource_missing"}
	bank.get(t, "/v1/payment_intents/pi_1").wants(t, http.StatusNotFound,
		with(missing, map[string]any{"error.param": "intent"}))
	bank.get(t, "/v1/charges/ch_1").wants(t, http.StatusNotFound, with(missing, map[string]any{"error.param": "id"}))
	for _, path := range []string{"/v1/nothing", "/v1/payment_intents/pi_1/nothing", "/", "/v1/charges/", "/v2/core"} {
		bank.get(t, path).wants(t, http.StatusNotFound, map[string]any{"error.type": "invalid_request_error"})
	}
	bank.send(t, http.MethodPost, "/v1/charges", "", "").wants(t, http.StatusNotFound, nil)
}
