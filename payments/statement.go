package payments

import "time"

// BankLine is one charge as the bank shows it. Amounts are in minor units.
type BankLine struct {
	ChargeID  string    `json:"charge_id"`
	OrderID   string    `json:"order_id"`
	MessageID string    `json:"message_id"`
	Account   string    `json:"-"`
	Amount    int64     `json:"amount"`
	Currency  Currency  `json:"currency"`
	Last4     string    `json:"last4"`
	Status    string    `json:"status"` // succeeded or failed
	Refunded  int64     `json:"refunded"`
	At        time.Time `json:"at"`
}

// Succeeded says whether the charge took money.
func (l BankLine) Succeeded() bool { return l.Status == "succeeded" }

// LedgerLine is one order as our own books show it.
type LedgerLine struct {
	OrderID  string      `json:"order_id"`
	Status   OrderStatus `json:"status"`
	Amount   int64       `json:"amount"`
	Currency Currency    `json:"currency"`
	ChargeID string      `json:"charge_id"`
	Points   int64       `json:"points"`
	Receipts int64       `json:"receipts"`
}

// Lines is one side of the statement.
type Lines[L any] struct {
	Lines []L `json:"lines"`
}

// Statement is the bank beside our ledger.
type Statement struct {
	Bank   Lines[BankLine]   `json:"bank"`
	Ledger Lines[LedgerLine] `json:"ledger"`
}

// DeadLetter is a message that nobody will try again by itself.
type DeadLetter struct {
	MessageID  string    `json:"message_id"`
	OrderID    string    `json:"order_id"`
	Reason     string    `json:"reason"`
	FirstError string    `json:"first_error"`
	LastError  string    `json:"last_error"`
	Deliveries int       `json:"deliveries"`
	At         time.Time `json:"at"`
	Body       []byte    `json:"-"`
}
