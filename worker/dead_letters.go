package worker

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"

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

// Handle keeps one dead letter, and acks when it is kept. While the database is away it tries on: left
// un-acked, the letter would keep its consumer from all others for as long as the session lasts.
func (k DeadLetters) Handle(ctx context.Context, m DeadMessage) {
	letter := m.AsDeadLetter()
	var job payments.ChargeJob
	if json.Unmarshal(letter.Body, &job) == nil { // A malformed one names no order.
		letter.OrderID = job.OrderID
	}
	log := k.Log.With("message_id", letter.MessageID, "order_id", letter.OrderID, "reason", letter.Reason)
	_, err := backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, k.keep(ctx, letter) },
		backoff.WithMaxElapsedTime(0), backoff.WithNotify(func(err error, after time.Duration) {
			log.WarnContext(ctx, "a dead letter was not kept", "error", err, "again_in", after)
		}))
	if err != nil {
		return // The worker is stopping, and the broker will deliver again.
	}
	if err := m.Ack(); err != nil {
		log.WarnContext(ctx, "the ack of a dead letter failed; it will be kept twice", "error", err)
	}
	log.WarnContext(ctx, "kept a dead letter", "last_error", letter.LastError)
}

func (k DeadLetters) keep(ctx context.Context, letter payments.DeadLetter) error {
	letter.Deliveries, _ = k.Deliveries(ctx, letter.OrderID) // Where the order is unknown, so are they.
	return k.Keep(ctx, letter)
}
