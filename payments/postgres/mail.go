package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// OwedLetter is a letter that is to be sent. It is held by a transaction, as the outbox rows are.
type OwedLetter struct {
	id      int64
	subject step.Subject
	kind    string
	tx      pgx.Tx
}

// About says whose letter it is, and of which kind.
func (l *OwedLetter) About() (subject step.Subject, kind string) { return l.subject, l.kind }

// ClaimMail takes one unsent letter; [payments.ErrNotFound] means that there is none.
func (s *Store) ClaimMail(ctx context.Context) (*OwedLetter, error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, translate(err)
	}
	letter := &OwedLetter{tx: tx}
	about := &letter.subject
	err = tx.QueryRow(ctx, `SELECT m.id, m.order_id, m.message_id, o.account, m.kind
		FROM mail_outbox m JOIN orders o ON o.id = m.order_id
		WHERE m.sent_at IS NULL ORDER BY m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED`).
		Scan(&letter.id, &about.OrderID, &about.MessageID, &about.Account, &letter.kind)
	if err == nil {
		return letter, nil
	}
	_ = tx.Rollback(ctx)
	return nil, translate(err)
}

// Mark says that the letter was sent.
func (l *OwedLetter) Mark(ctx context.Context) error {
	if _, err := l.tx.Exec(ctx, `UPDATE mail_outbox SET sent_at = clock_timestamp() WHERE id = $1`, l.id); err != nil {
		return translate(err)
	}
	return translate(l.tx.Commit(ctx))
}

// Release gives the letter back unmarked. After Mark it does nothing.
func (l *OwedLetter) Release(ctx context.Context) { _ = l.tx.Rollback(ctx) }

// Post puts a letter into the customer's mailbox, in a commit of its own: the post office is somebody
// else, and takes no idempotency key.
func (s *Store) Post(ctx context.Context, orderID, kind string) error {
	_, err := s.pool.Exec(ctx, `INSERT INTO mailbox (order_id, kind) VALUES ($1, $2)`, orderID, kind)
	return translate(err)
}

// Mailbox lists the letters that arrived, oldest first, of one order or, for "", of all.
func (s *Store) Mailbox(ctx context.Context, orderID string) ([]payments.Letter, error) {
	rows, err := s.pool.Query(ctx, `SELECT order_id, kind, at FROM mailbox
		WHERE $1 = '' OR order_id = nullif($1, '')::uuid ORDER BY id`, orderID)
	if err != nil {
		return nil, translate(err)
	}
	letters, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payments.Letter])
	return letters, translate(err)
}
