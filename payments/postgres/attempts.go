package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
)

// CountDelivery counts one more delivery of the attempt's message and returns the new count, from 1.
// [payments.ErrNotFound] means that the attempt is gone, so that nothing may be charged for it, and
// [payments.ErrInvalid] that the job is not what the order says.
func (s *Store) CountDelivery(ctx context.Context, job payments.ChargeJob) (int, error) {
	var n int
	var asOrdered bool
	err := s.pool.QueryRow(ctx, `UPDATE attempts a SET deliveries = deliveries + 1 WHERE message_id = $1
		RETURNING deliveries, EXISTS (SELECT FROM orders o WHERE o.id = a.order_id
			AND o.id::text = $2 AND o.account = $3 AND o.amount = $4 AND o.currency = $5)`,
		job.MessageID, job.OrderID, job.Account, job.Amount, job.Currency).Scan(&n, &asOrdered)
	if err == nil && !asOrdered {
		return n, fmt.Errorf("%w: the job is not what the order says", payments.ErrInvalid)
	}
	return n, translate(err)
}

// Deliveries is how often the messages of an order were delivered.
func (s *Store) Deliveries(ctx context.Context, orderID string) (int, error) {
	var n int
	err := s.pool.QueryRow(ctx,
		`SELECT coalesce(sum(deliveries), 0) FROM attempts WHERE order_id = $1`, orderID).Scan(&n)
	return n, translate(err)
}

// Checkouts lists the newest orders with the strategy of their last attempt, newest first.
func (s *Store) Checkouts(ctx context.Context, limit int) (ids, strategies []string, err error) {
	rows, err := s.pool.Query(ctx, `SELECT order_id::text, (array_agg(strategy ORDER BY created_at DESC))[1]
		FROM attempts GROUP BY order_id ORDER BY order_id DESC LIMIT $1`, limit)
	if err != nil {
		return nil, nil, translate(err)
	}
	var id, strategy string
	_, err = pgx.ForEachRow(rows, []any{&id, &strategy}, func() error {
		ids, strategies = append(ids, id), append(strategies, strategy)
		return nil
	})
	return ids, strategies, translate(err)
}

// Redeliver writes further outbox rows for an attempt, so that the same message with the same id goes
// out again. Without a message id the order's last attempt is meant.
func (s *Store) Redeliver(ctx context.Context, orderID, messageID string, times int) error {
	tag, err := s.pool.Exec(ctx, `INSERT INTO outbox (message_id)
		SELECT message_id FROM (
			SELECT message_id FROM attempts
			WHERE order_id = $1 AND ($2 = '' OR message_id = nullif($2, '')::uuid)
			ORDER BY created_at DESC, message_id DESC LIMIT 1
		) last CROSS JOIN generate_series(1, $3)`, orderID, messageID, times)
	if err == nil && tag.RowsAffected() == 0 {
		return payments.ErrNotFound
	}
	return translate(err)
}

// KeepDeadLetter keeps the message and, where its attempt is still open, says that a person must look.
func (s *Store) KeepDeadLetter(ctx context.Context, d payments.DeadLetter) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(`INSERT INTO dead_letters (message_id, order_id, reason, first_error, last_error, deliveries, body)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			storable(d.MessageID), storable(d.OrderID), storable(d.Reason), storable(d.FirstError),
			storable(d.LastError), d.Deliveries, append([]byte{}, d.Body...))
		// The attempt first, as the ledger does: in the other order the two could deadlock.
		batch.Queue(`WITH stuck AS (
				UPDATE attempts SET status = 'needs_attention'
				WHERE message_id::text = $1 AND status = 'open' RETURNING order_id)
			UPDATE orders SET status = 'needs_attention'
			WHERE status = 'pending' AND id IN (SELECT order_id FROM stuck)`, storable(d.MessageID))
		return translate(tx.SendBatch(ctx, batch).Close())
	})
}

// storable makes any bytes of a message into text that the database takes: nobody checked them before,
// and a dead letter that cannot be kept would stand in the way of all others.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// DeadLetters lists what was kept, newest first.
func (s *Store) DeadLetters(ctx context.Context) ([]payments.DeadLetter, error) {
	rows, err := s.pool.Query(ctx, `SELECT message_id, order_id, reason, first_error, last_error, deliveries, at, body
		FROM dead_letters ORDER BY id DESC LIMIT 1000`)
	if err != nil {
		return nil, translate(err)
	}
	letters, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payments.DeadLetter])
	return letters, translate(err)
}
