package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
)

// OutboxBatch is a set of rows that this relay alone may publish. It holds them by a transaction, so
// that a relay that is killed gives them back at once.
type OutboxBatch struct {
	rows []payments.OutboxRow
	tx   pgx.Tx
}

// Rows are the jobs to publish, oldest first; none means that there is nothing to do.
func (b *OutboxBatch) Rows() []payments.OutboxRow { return b.rows }

// ClaimOutbox takes up to limit unsent rows that nobody else holds. It selects by "not sent", never by
// a highest id: ids are handed out before their transactions commit.
func (s *Store) ClaimOutbox(ctx context.Context, limit int) (*OutboxBatch, error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, translate(err)
	}
	rows, err := tx.Query(ctx, `SELECT x.id, a.message_id, o.id, o.account, o.amount, o.currency, o.items,
			a.payment_method, a.strategy, a.created_at, o.traceparent
		FROM outbox x JOIN attempts a USING (message_id) JOIN orders o ON o.id = a.order_id
		WHERE x.sent_at IS NULL ORDER BY x.id LIMIT $1 FOR UPDATE OF x SKIP LOCKED`, limit)
	if err == nil {
		batch := &OutboxBatch{tx: tx}
		batch.rows, err = pgx.CollectRows(rows, scanOutboxRow)
		if err == nil && len(batch.rows) > 0 {
			return batch, nil
		}
	}
	_ = tx.Rollback(ctx)
	return &OutboxBatch{}, translate(err)
}

func scanOutboxRow(row pgx.CollectableRow) (payments.OutboxRow, error) {
	var r payments.OutboxRow
	j := &r.Job
	err := row.Scan(&r.ID, &j.MessageID, &j.OrderID, &j.Account, &j.Amount, &j.Currency, &j.Items,
		&j.PaymentMethod, &j.Strategy, &j.CreatedAt, &j.Traceparent)
	j.CreatedAt = j.CreatedAt.UTC()
	return r, err
}

// Mark says which rows the broker has confirmed, and what went wrong with the others, and commits.
func (b *OutboxBatch) Mark(ctx context.Context, sent []int64, failed map[int64]string) error {
	batch := &pgx.Batch{}
	if len(sent) > 0 {
		batch.Queue(`UPDATE outbox SET sent_at = clock_timestamp(), attempts = attempts + 1 WHERE id = ANY($1)`, sent)
	}
	for id, reason := range failed {
		batch.Queue(`UPDATE outbox SET attempts = attempts + 1, last_error = $2 WHERE id = $1`, id, reason)
	}
	if err := b.tx.SendBatch(ctx, batch).Close(); err != nil {
		b.Release(ctx)
		return translate(err)
	}
	return translate(b.tx.Commit(ctx))
}

// Release gives the rows back unmarked. After Mark it does nothing.
func (b *OutboxBatch) Release(ctx context.Context) {
	if b.tx != nil {
		_ = b.tx.Rollback(ctx)
	}
}
