package worker

import (
	"context"
	"encoding/json"
	"log/slog"

	"example.com/doublecharge/payments"
)

// DeadMessage is a delivery from the dead letters.
type DeadMessage interface {
	AsDeadLetter() payments.DeadLetter
	Ack() error
}

// DeadLetters keeps dead letters in a table, where a person can see them and send them back.
type DeadLetters struct {
	Keep func(ctx context.Context, d payments.DeadLetter) error
	// Deliveries is how often the message of an attempt was delivered.
	Deliveries func(ctx context.Context, orderID string) (int, error)
	Log        *slog.Logger
}

// Handle keeps one dead letter, and acks when it is kept.
func (k DeadLetters) Handle(ctx context.Context, m DeadMessage) {
	letter := m.AsDeadLetter()
	var job payments.ChargeJob
	if json.Unmarshal(letter.Body, &job) == nil { // A malformed one names no order.
		letter.OrderID = job.OrderID
		letter.Deliveries, _ = k.Deliveries(ctx, job.OrderID)
	}
	log := k.Log.With("message_id", letter.MessageID, "order_id", letter.OrderID, "reason", letter.Reason)
	if err := k.Keep(ctx, letter); err != nil {
		log.WarnContext(ctx, "a dead letter was not kept; the broker will deliver it again", "error", err)
		return
	}
	if err := m.Ack(); err != nil {
		log.WarnContext(ctx, "the ack of a dead letter failed; it will be kept twice", "error", err)
	}
	log.WarnContext(ctx, "kept a dead letter", "last_error", letter.LastError)
}
