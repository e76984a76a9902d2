package payments

import (
	"encoding/json"
	"fmt"
	"time"
)

// ChargeJob is the message that asks the worker to charge one attempt. Everything that is sent to
// the bank is made from it alone, so that a second delivery sends the very same request.
type ChargeJob struct {
	MessageID     string    `json:"message_id"`
	OrderID       string    `json:"order_id"`
	Account       string    `json:"account"`
	Amount        int64     `json:"amount"`
	Currency      Currency  `json:"currency"`
	Items         []Item    `json:"items,omitempty"`
	PaymentMethod string    `json:"payment_method"`
	Strategy      string    `json:"strategy"`
	CreatedAt     time.Time `json:"created_at"`
	Traceparent   string    `json:"traceparent,omitempty"`
}

// Total is the amount to charge as money.
func (j ChargeJob) Total() Money { return Money{j.Amount, j.Currency} }

// DecodeChargeJob reads a message body. The broker does not check what is published, so everything
// is validated; an error wraps [ErrHopeless], because a malformed message stays malformed.
func DecodeChargeJob(messageID string, body []byte) (ChargeJob, error) {
	var job ChargeJob
	if messageID == "" {
		return job, fmt.Errorf("%w: the message has no message id", ErrHopeless)
	}
	if err := json.Unmarshal(body, &job); err != nil {
		return job, fmt.Errorf("%w: the body is not a charge job: %w", ErrHopeless, err)
	}
	if job.MessageID != messageID {
		return job, fmt.Errorf("%w: the body's message id is not the message's", ErrHopeless)
	}
	if err := job.validate(); err != nil {
		return job, fmt.Errorf("%w: %w", ErrHopeless, err)
	}
	return job, nil
}

func (j ChargeJob) validate() error {
	if _, err := ParseCurrency(string(j.Currency)); err != nil {
		return InvalidField("currency", "not a currency of the shop")
	}
	switch {
	case j.OrderID == "":
		return InvalidField("order_id", "missing")
	case j.Account == "":
		return InvalidField("account", "missing")
	case j.Amount < 1 || j.Amount > MaxAmount:
		return InvalidField("amount", "must be 1 to %d minor units", MaxAmount)
	case j.PaymentMethod == "":
		return InvalidField("payment_method", "missing")
	case j.CreatedAt.IsZero():
		return InvalidField("created_at", "missing")
	}
	return nil
}

// OutboxRow is a job that is to be published.
type OutboxRow struct {
	ID  int64
	Job ChargeJob
}

// Message is a charge job as the broker carries it. Its id is the attempt's and never changes.
type Message struct {
	ID      string
	Body    []byte
	Headers map[string]any
}
