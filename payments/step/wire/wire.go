// Package wire makes the calls to the bank observable and breakable, at the last place before they leave
// the process: one event for the call with the key that is really sent, and one for its answer.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"example.com/doublecharge/payments/step"
)

// maxBody bounds what is read of a request or an answer. Stripe's objects are a few kilobytes; a list
// of a hundred of them is under a megabyte.
const maxBody = 4 << 20

// Transport is an http.RoundTripper that notes calls and answers, and loses or spoils them where a fault
// is armed.
type Transport struct {
	// Base makes the call.
	Base  http.RoundTripper
	Probe step.Probe
}

// RoundTrip sends the request exactly once. Without a GetBody the standard transport cannot silently
// send it again on a broken keep-alive connection, which it would do for any request that carries an
// Idempotency-Key.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	name, ok := nameOf(r)
	if !ok {
		return t.Base.RoundTrip(r)
	}
	out, form, err := once(r)
	if err != nil {
		return nil, err
	}
	key := r.Header.Get("Idempotency-Key")
	call := step.Detail{From: "worker", To: "stripe", Key: key, Currency: form.Get("currency")}
	call.Amount, _ = strconv.ParseInt(form.Get("amount"), 10, 64) // A look-up has none.
	strike := t.Probe.Strike(r.Context(), name, call, step.StripePoints()...)

	response, err := t.send(out, strike)
	answer := step.Detail{From: "stripe", To: "worker", Key: key, Outcome: "unknown"}
	if err == nil {
		err = read(r, name, response, &answer)
	}
	t.Probe.Note(r.Context(), name, answer)
	if err != nil {
		return nil, err
	}
	return response, nil
}

func nameOf(r *http.Request) (step.Name, bool) {
	switch {
	case r.URL.Path != "/v1/payment_intents":
		return "", false
	case r.Method == http.MethodPost:
		return step.StripeCharge, true
	default:
		return step.StripeFind, true
	}
}

// once copies the request with a body that can be read once, and its form.
func once(r *http.Request) (*http.Request, url.Values, error) {
	out := r.Clone(r.Context())
	out.GetBody = nil
	if r.Body == nil {
		return out, url.Values{}, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	_ = r.Body.Close()
	if err != nil {
		return nil, nil, fmt.Errorf("read the request: %w", err)
	}
	out.Body = io.NopCloser(bytes.NewReader(body))
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, nil, fmt.Errorf("parse the request: %w", err)
	}
	return out, form, nil
}

// read notes what the answer says and puts its body back. A body that breaks off is a lost answer.
func read(r *http.Request, name step.Name, response *http.Response, d *step.Detail) error {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	_ = response.Body.Close()
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	d.Status = response.StatusCode
	d.RequestID = response.Header.Get("Request-Id")
	if name == step.StripeFind && response.StatusCode == http.StatusOK {
		d.Outcome, d.ChargeID = listed(body, step.SubjectOf(r.Context()).MessageID)
	} else {
		d.Outcome, d.ChargeID = meaning(response.StatusCode, body)
	}
	if response.Header.Get("Idempotent-Replayed") == "true" {
		d.Outcome = "replayed"
	}
	return nil
}

// payment is what is read of a payment intent.
type payment struct {
	Status       string            `json:"status"`
	LatestCharge json.RawMessage   `json:"latest_charge"`
	Metadata     map[string]string `json:"metadata"`
}

// outcome is what a payment intent came to, and its charge.
func (p payment) outcome() (outcome, chargeID string) {
	switch id := idOf(p.LatestCharge); p.Status {
	case "succeeded":
		return "charged", id
	case "requires_payment_method": // A declined payment waits for another card.
		return "declined", id
	default:
		return "unknown", id
	}
}

// meaning is what the answer to a charge says of the card.
func meaning(status int, body []byte) (outcome, chargeID string) {
	var answer struct {
		payment
		Error struct {
			Charge string `json:"charge"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "unknown", ""
	}
	switch {
	case status == http.StatusOK && answer.Status == "succeeded":
		return answer.outcome()
	case status == http.StatusPaymentRequired:
		return "declined", answer.Error.Charge
	default:
		return "unknown", ""
	}
}

// listed is what the answer to a look-up says of the message's own payment: nothing, where it is not in
// the list.
func listed(body []byte, messageID string) (outcome, chargeID string) {
	var answer struct {
		Data []payment `json:"data"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "unknown", ""
	}
	for _, p := range answer.Data {
		if id, known := p.Metadata["message_id"]; known && id == messageID {
			return p.outcome()
		}
	}
	return "", ""
}

// idOf reads a reference, which is an id or, expanded, the object itself.
func idOf(raw json.RawMessage) string {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return id
	}
	var object struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(raw, &object) // An answer without a charge names none.
	return object.ID
}
