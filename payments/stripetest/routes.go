package stripetest

import "strings"

// A preparation reads the parameters of a call and returns what remains to be done. What it finds
// wrong is the caller's mistake and leaves no trace under an idempotency key.
type preparation func(id string, r *reader) execution

// findRoute is the list of everything under /v1.
func findRoute(method, path string) (prepare preparation, id string, found bool) {
	path, id = splitID(path)
	switch method + " " + path {
	case "POST /v1/payment_intents":
		return createIntent, id, true
	case "GET /v1/payment_intents":
		return listIntents, id, true
	case "GET /v1/payment_intents/{id}":
		return getIntent, id, true
	case "GET /v1/charges":
		return listCharges, id, true
	case "GET /v1/charges/{id}":
		return getCharge, id, true
	default:
		return nil, "", false
	}
}

// splitID replaces the third segment of a path, which is an object's id, by {id}.
func splitID(path string) (pattern, id string) {
	segments := strings.Split(path, "/") // "", "v1", "payment_intents", "pi_1", "confirm".
	const place = 3
	if len(segments) <= place || segments[place] == "" {
		return path, ""
	}
	id = segments[place]
	segments[place] = "{id}"
	return strings.Join(segments, "/"), id
}
