package postgres

import (
	"context"
	_ "embed" // for the reading
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/step"
)

//go:embed activity.sql
var activitySQL string

// Activity is one reading of what is still on its way, as far as the database can tell.
type Activity struct {
	// Unsent counts outbox rows and letters.
	Unsent int
	// InHand counts living workers between the receipt of a delivery and the end of its turn.
	InHand int
	// Between says that something is in nobody's sight just now: between the broker and a worker, or
	// on its way back from a process that died.
	Between bool
	// LastRow is the newest row of the trace; equal readings mean that nothing happened in between.
	LastRow int64
}

// Idle says whether nothing is on its way.
func (a Activity) Idle() bool { return a.Unsent == 0 && a.InHand == 0 && !a.Between }

// Activity takes a reading.
func (s *Store) Activity(ctx context.Context) (Activity, error) {
	var a Activity
	err := s.pool.QueryRow(ctx, activitySQL).Scan(&a.Unsent, &a.InHand, &a.Between, &a.LastRow)
	return a, translate(err)
}

// Clock gives the lab's clock: the database's time and how far the lab is ahead of it.
func (s *Store) Clock(ctx context.Context) (ahead time.Duration, resetAt time.Time, err error) {
	err = s.pool.QueryRow(ctx, `SELECT ahead, reset_at FROM lab_clock`).Scan(&ahead, &resetAt)
	return ahead, resetAt, translate(err)
}

// Advance moves the lab's clock forward and returns how far it is ahead now. The trace tells of it: without
// that, a key that the bank forgot would look like one that it never honoured.
func (s *Store) Advance(ctx context.Context, d time.Duration) (time.Duration, error) {
	var ahead time.Duration
	err := s.pool.QueryRow(ctx, `
		WITH told AS (
			INSERT INTO lab_trace (order_id, message_id, delivery, step, detail) VALUES ('', '', 0, $2, $3)
		)
		UPDATE lab_clock SET ahead = ahead + $1 RETURNING ahead`,
		d, step.ClockAdvanced, step.Detail{Advance: d.String()}).Scan(&ahead)
	return ahead, translate(err)
}

// BeginReset starts a clean table: whoever waits at a step goes on, whatever is on its way loses its
// attempt, so that no worker will charge for it.
func (s *Store) BeginReset(ctx context.Context) error {
	return s.insist(ctx, func(batch *pgx.Batch) {
		batch.Queue(`DELETE FROM lab_faults`)
		for _, table := range []string{"idempotency_keys", "outbox", "mail_outbox", "attempts", "orders"} {
			batch.Queue("DELETE FROM " + table)
		}
	})
}

// FinishReset wipes everything but the settings and the processes. The ids of the trace
// go on counting, so that a reader that resumes sees the reset as the next event.
//
// TRUNCATE would be quicker, but it waits for readers and makes them wait, in whatever order they come
// to the tables, which is a deadlock.
func (s *Store) FinishReset(ctx context.Context) error {
	return s.insist(ctx, func(batch *pgx.Batch) {
		for _, table := range []string{
			"idempotency_keys", "seen_set", "seen_list", "claims", "outbox", "mail_outbox", "mailbox", "dead_letters",
			"attempts", "orders", "lab_trace", "lab_faults",
		} {
			batch.Queue("DELETE FROM " + table)
		}
		// Start numbers begin anew: who is gone is not counted any more.
		batch.Queue(`UPDATE processes SET ended_at = clock_timestamp()
			WHERE ended_at IS NULL AND NOT process_alive(instance)`)
		batch.Queue(`UPDATE lab_clock SET reset_at = clock_timestamp(), ahead = '0'`)
		batch.Queue(`INSERT INTO lab_trace (order_id, message_id, delivery, step, detail)
			VALUES ('', '', 0, $1, '{}')`, step.LabReset)
	})
}

// insist runs the statements in one transaction, and again for a while when somebody is in the way: a
// write that slips in, or a process that stands still at a step with a row in its hands. Before each
// try it lets everybody go on, who in step mode stand still again one step later.
func (s *Store) insist(ctx context.Context, queue func(*pgx.Batch)) error {
	try := func() (struct{}, error) {
		// Whoever waits finds its row gone, and goes on.
		if _, err := s.pool.Exec(ctx, `DELETE FROM lab_waits`); err != nil {
			return struct{}{}, translate(err)
		}
		return struct{}{}, s.inTx(ctx, func(tx pgx.Tx) error {
			batch := &pgx.Batch{}
			batch.Queue(`SET LOCAL lock_timeout = '200ms'`)
			queue(batch)
			return translate(tx.SendBatch(ctx, batch).Close())
		})
	}
	_, err := backoff.Retry(ctx, try, backoff.WithBackOff(backoff.NewConstantBackOff(50*time.Millisecond)),
		backoff.WithMaxElapsedTime(5*time.Second))
	return err
}
