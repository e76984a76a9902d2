package payments

import "time"

// OrderStatus is where an order stands.
type OrderStatus string

// An order begins pending. Needs attention means that a person must look: no machine could tell
// whether the card was charged.
const (
	OrderPending        OrderStatus = "pending"
	OrderPaid           OrderStatus = "paid"
	OrderFailed         OrderStatus = "failed"
	OrderNeedsAttention OrderStatus = "needs_attention"
	OrderRefunded       OrderStatus = "refunded"
)

// AttemptStatus is where one payment attempt stands.
type AttemptStatus string

// An attempt is open until the bank's answer is recorded.
const (
	AttemptOpen           AttemptStatus = "open"
	AttemptPaid           AttemptStatus = "paid"
	AttemptFailed         AttemptStatus = "failed"
	AttemptNeedsAttention AttemptStatus = "needs_attention"
	AttemptRefunded       AttemptStatus = "refunded"
)

// Order is what a customer bought. Points and Receipts are the local effects so far: loyalty points
// added, and receipt letters that arrived.
type Order struct {
	ID        string      `json:"id"`
	Account   string      `json:"-"`
	Status    OrderStatus `json:"status"`
	Amount    int64       `json:"amount"`
	Currency  Currency    `json:"currency"`
	Items     []Item      `json:"items"`
	Attempts  []Attempt   `json:"attempts"`
	Points    int64       `json:"points"`
	Receipts  int64       `json:"receipts"`
	CreatedAt time.Time   `json:"created_at"`

	// Traceparent is the W3C trace context of the request that made the order; "" is none.
	Traceparent string `json:"-"`
}

// Total is the amount of the order as money.
func (o Order) Total() Money { return Money{o.Amount, o.Currency} }

// Attempt is one try to pay an order with one card. Its message id is minted with it, and is kept on
// every redelivery, republish and retry.
type Attempt struct {
	MessageID     string        `json:"message_id"`
	PaymentMethod string        `json:"payment_method"`
	Status        AttemptStatus `json:"status"`
	ChargeID      string        `json:"charge_id"`
}

// Checkout is everything that one accepted checkout writes, in one transaction: the order, its first
// attempt, and the outbox row that will publish the attempt's charge job.
type Checkout struct {
	Order Order
	// Strategy handles the attempt's message; "" takes the lab's setting of that moment, so that a
	// switch affects new orders only.
	Strategy string
}

// Letter is a piece of mail that reached a customer.
type Letter struct {
	OrderID string    `json:"order_id"`
	Kind    string    `json:"kind"`
	At      time.Time `json:"at"`
}

// ReceiptKind is the letter that a paid attempt owes its customer.
const ReceiptKind = "receipt"
