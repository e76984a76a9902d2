package payments

// Key is an idempotency key: what tells a receiver that it has seen this request before.
type Key string

// NoKey sends no key of ours. The Stripe library then mints a random one for every call, which
// protects that call's own retries and nothing else.
const NoKey Key = ""

// Outcome is what the bank said for certain. That it may not be known is an error, [ErrUnknown], and
// never an Outcome.
type Outcome struct {
	// ChargeID is the bank's id of the charge; a declined charge has one too.
	ChargeID string
	// Declined is the bank's decline code; "" means that the card was charged.
	Declined string
}

// Charged says whether money moved.
func (o Outcome) Charged() bool { return o.Declined == "" }
