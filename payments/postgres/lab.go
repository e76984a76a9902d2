package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/step"
)

// Activity is one reading of what is still on its way, as far as the database can tell.
type Activity struct {
	// Unsent counts outbox rows and letters.
	Unsent int
	// InHand counts living workers between the receipt of a delivery and the end of its turn.
	InHand int
	// JustDied says that a process died so short a time ago that what it held may not be back in its
	// queue yet.
	JustDied bool
	// LastRow is the newest row of the trace; equal readings mean that nothing happened in between.
	LastRow int64
}

// Idle says whether nothing is on its way.
func (a Activity) Idle() bool { return a.Unsent == 0 && a.InHand == 0 && !a.JustDied }

// Activity takes a reading. A worker's turn begins with worker.received and ends with worker.settled,
// which is written after an early ack too.
func (s *Store) Activity(ctx context.Context) (Activity, error) {
	var a Activity
	err := s.pool.QueryRow(ctx, `WITH turns AS (
			SELECT DISTINCT ON (t.instance) t.instance, t.step FROM lab_trace t JOIN processes p USING (instance)
			WHERE t.step IN ('worker.received', 'worker.settled') AND p.role = 'worker' AND p.ended_at IS NULL
			ORDER BY t.instance, t.row_id DESC)
		SELECT (SELECT count(*) FROM outbox WHERE sent_at IS NULL) +
			(SELECT count(*) FROM mail_outbox WHERE sent_at IS NULL),
			(SELECT count(*) FROM turns WHERE step = 'worker.received' AND process_alive(instance)),
			EXISTS (SELECT FROM processes WHERE ended_at > clock_timestamp() - interval '250 milliseconds'
				OR (ended_at IS NULL AND NOT process_alive(instance))),
			(SELECT coalesce(max(row_id), 0) FROM lab_trace)`).
		Scan(&a.Unsent, &a.InHand, &a.JustDied, &a.LastRow)
	return a, translate(err)
}

// Clock gives the lab's clock: the database's time and how far the lab is ahead of it.
func (s *Store) Clock(ctx context.Context) (ahead time.Duration, resetAt time.Time, err error) {
	err = s.pool.QueryRow(ctx, `SELECT ahead, reset_at FROM lab_clock`).Scan(&ahead, &resetAt)
	return ahead, resetAt, translate(err)
}

// Advance moves the lab's clock forward and returns how far it is ahead now.
func (s *Store) Advance(ctx context.Context, d time.Duration) (time.Duration, error) {
	var ahead time.Duration
	err := s.pool.QueryRow(ctx, `UPDATE lab_clock SET ahead = ahead + $1 RETURNING ahead`, d).Scan(&ahead)
	return ahead, translate(err)
}

// BeginReset starts a clean table: whatever is on its way loses its attempt, so that no worker will
// charge for it, and start numbers begin anew.
func (s *Store) BeginReset(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(`DELETE FROM lab_faults`)
		batch.Queue(`DELETE FROM lab_waits`) // Whoever waits finds its row gone, and goes on.
		batch.Queue(`UPDATE lab_clock SET reset_at = clock_timestamp(), ahead = '0'`)
		batch.Queue(`DELETE FROM outbox WHERE sent_at IS NULL`)
		return translate(tx.SendBatch(ctx, batch).Close())
	})
}

// FinishReset wipes everything but the settings and the processes. The ids of the trace
// go on counting, so that a reader that resumes sees the reset as the next event.
func (s *Store) FinishReset(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(`TRUNCATE orders, attempts, idempotency_keys, outbox, seen_set, mail_outbox, mailbox,
			dead_letters, lab_trace, lab_faults, lab_waits`)
		batch.Queue(`INSERT INTO lab_trace (order_id, message_id, delivery, step, detail)
			VALUES ('', '', 0, $1, '{}')`, step.LabReset)
		return translate(tx.SendBatch(ctx, batch).Close())
	})
}
