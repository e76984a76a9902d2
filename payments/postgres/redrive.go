package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
)

// Redrive sends dead letters back and tells of each message what became of it, oldest first. A payment that is
// older than the limit, by the lab's clock, is held. With dry nothing is changed.
//
// A message goes back by the outbox, as it came: that it is sent and that its letter was redriven is one
// commit, so that a second press, or one at the same time, finds nothing to send.
func (s *Store) Redrive(ctx context.Context, limit time.Duration, dry bool) ([]payments.Redriven, error) {
	letters := []payments.Redriven{}
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		var err error
		if letters, err = waitingLetters(ctx, tx, limit); err != nil || dry {
			return err
		}
		var ids []string
		for _, letter := range letters {
			if letter.Outcome == payments.RedriveSent {
				ids = append(ids, letter.MessageID)
			}
		}
		return sendBack(ctx, tx, ids)
	})
	return letters, translate(err)
}

// waitingLetters decides on each message whose dead letters wait, by the newest of them, and locks what it decides
// on. The attempts first, as the ledger does: in the other order the two could deadlock.
func waitingLetters(ctx context.Context, tx pgx.Tx, limit time.Duration) ([]payments.Redriven, error) {
	_, err := tx.Exec(ctx, `SELECT FROM attempts WHERE message_id::text IN (
		SELECT message_id FROM dead_letters WHERE redriven_at IS NULL) ORDER BY message_id FOR UPDATE`)
	if err != nil {
		return nil, translate(err)
	}
	_, err = tx.Exec(ctx, `SELECT FROM dead_letters WHERE redriven_at IS NULL ORDER BY id FOR UPDATE`)
	if err != nil {
		return nil, translate(err)
	}
	rows, err := tx.Query(ctx, `
		SELECT message_id, order_id, reason, last_error, at, outcome FROM (
			SELECT DISTINCT ON (d.message_id) d.id, d.message_id, d.order_id, d.reason, d.last_error, d.at,
				CASE WHEN a.message_id IS NULL THEN $2::text
					WHEN EXISTS (SELECT FROM attempts o WHERE o.order_id = a.order_id AND o.status = 'open') THEN $3
					WHEN a.status <> 'needs_attention' OR
						EXISTS (SELECT FROM attempts o WHERE o.order_id = a.order_id AND o.status = 'paid') THEN $4
					WHEN now() + c.ahead - a.created_at >= $1 THEN $5
					ELSE $6 END AS outcome
			FROM dead_letters d CROSS JOIN lab_clock c LEFT JOIN attempts a ON a.message_id::text = d.message_id
			WHERE d.redriven_at IS NULL ORDER BY d.message_id, d.id DESC
		) newest ORDER BY id`,
		limit, payments.RedriveUnreadable, payments.RedriveUnderWay, payments.RedriveSettled, payments.RedriveTooOld,
		payments.RedriveSent)
	if err != nil {
		return nil, translate(err)
	}
	letters, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payments.Redriven])
	return letters, translate(err)
}

// sendBack opens the attempts again, and has their messages published once more, with the same ids.
func sendBack(ctx context.Context, tx pgx.Tx, ids []string) error {
	batch := &pgx.Batch{}
	batch.Queue(`UPDATE attempts SET status = 'open' WHERE message_id::text = ANY($1)`, ids)
	batch.Queue(`UPDATE orders SET status = 'pending' WHERE status = 'needs_attention'
		AND id IN (SELECT order_id FROM attempts WHERE message_id::text = ANY($1))`, ids)
	batch.Queue(`INSERT INTO outbox (message_id)
		SELECT message_id FROM attempts WHERE message_id::text = ANY($1)`, ids)
	batch.Queue(`UPDATE dead_letters SET redriven_at = now() WHERE redriven_at IS NULL AND message_id = ANY($1)`, ids)
	return translate(tx.SendBatch(ctx, batch).Close())
}
