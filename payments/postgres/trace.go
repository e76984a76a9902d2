package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/step"
)

// Events reads the trace after the given id, oldest first; an order's only, unless the order is "".
//
// Ids are given here, at read time, by one sequencer at a time: it sees committed rows only, and its
// ids become visible before the next one begins. So ids are in commit order, and a reader that resumes
// after the last id it saw misses nothing and sees nothing twice. Ids that were given at insert time
// would not do: a smaller one can commit after a larger one was read.
func (s *Store) Events(ctx context.Context, after int64, orderID string, limit int) ([]step.Event, error) {
	if err := s.sequence(ctx); err != nil {
		return nil, translate(err)
	}
	rows, err := s.pool.Query(ctx, `SELECT t.id, t.at, t.order_id, t.message_id, t.delivery, t.step, t.detail,
			coalesce(p.role, ''), coalesce(p.number, 0), coalesce(p.start, 0), coalesce(p.instance, 0),
			coalesce(p.pid, 0)
		FROM lab_trace t LEFT JOIN process_starts p USING (instance)
		WHERE t.id > $1 AND $2 IN ('', t.order_id) ORDER BY t.id LIMIT $3`, after, orderID, limit)
	if err != nil {
		return nil, translate(err)
	}
	events, err := pgx.CollectRows(rows, scanEvent)
	return events, translate(err)
}

func scanEvent(row pgx.CollectableRow) (step.Event, error) {
	var e step.Event
	p := &e.Process
	err := row.Scan(&e.ID, &e.At, &e.OrderID, &e.MessageID, &e.Delivery, &e.Step, &e.Detail,
		&p.Role, &p.Number, &p.Start, &p.Instance, &p.PID)
	e.At = e.At.UTC()
	return e, err
}

// sequence gives ids to the rows that have none. The lock comes in a statement of its own, so that the
// next statement's snapshot has everything that its former holder did.
func (s *Store) sequence(ctx context.Context) error {
	var unread bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM lab_trace WHERE id IS NULL)`).Scan(&unread)
	if err != nil || !unread {
		return err
	}
	return s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(process_lock_class(), 0)`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE lab_trace t SET id = u.id
			FROM (SELECT row_id, nextval('lab_trace_ids') AS id
				FROM (SELECT row_id FROM lab_trace WHERE id IS NULL ORDER BY row_id) ordered) u
			WHERE t.row_id = u.row_id`)
		return err
	})
}

// BankCalls counts, in the trace of an order, the charge requests to the bank and those of its answers
// that were replays.
func (s *Store) BankCalls(ctx context.Context, orderID string) (requests, replayed int, err error) {
	err = s.pool.QueryRow(ctx, `SELECT count(*) FILTER (WHERE detail->>'to' = 'stripe'),
			count(*) FILTER (WHERE detail->>'outcome' = 'replayed')
		FROM lab_trace WHERE order_id = $1 AND step = 'stripe.charge'`, orderID).Scan(&requests, &replayed)
	return requests, replayed, translate(err)
}

// RetryQueues lists the queues in which messages were left for later, as the trace tells.
func (s *Store) RetryQueues(ctx context.Context) ([]string, error) {
	rows, err := s.pool.Query(ctx, `SELECT DISTINCT detail->>'queue' FROM lab_trace WHERE detail ? 'queue'`)
	if err != nil {
		return nil, translate(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return names, translate(err)
}
