package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/step"
)

const insertFault = `INSERT INTO lab_faults
		(point, action, times, skip, duration_ms, account, worker, delivery, arrivals)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`

func faultValues(f step.Fault) []any {
	return []any{f.Point, f.Action, f.Times, f.Skip, f.DurationMS, f.Account, f.Worker, f.Delivery, f.Arrivals}
}

// Arm adds a fault and gives it its id.
func (s *Store) Arm(ctx context.Context, f step.Fault) (step.Fault, error) {
	err := s.pool.QueryRow(ctx, insertFault, faultValues(f)...).Scan(&f.ID)
	return f, translate(err)
}

// NoteFault leaves a trace of a fault that struck a server rather than a step.
func (s *Store) NoteFault(ctx context.Context, point step.Name, action step.Action) error {
	_, err := s.pool.Exec(ctx, `INSERT INTO lab_trace (order_id, message_id, delivery, step, detail)
		VALUES ('', '', 0, $1, $2)`, step.FaultFired, step.Detail{Point: string(point), Action: string(action)})
	return translate(err)
}

// Disarm removes all faults.
func (s *Store) Disarm(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM lab_faults`)
	return translate(err)
}

// Armed lists the faults that have still to strike, oldest first.
func (s *Store) Armed(ctx context.Context) ([]step.Fault, error) {
	rows, err := s.pool.Query(ctx, `SELECT id, point, action, times, skip, duration_ms, account, worker, delivery,
			arrivals
		FROM lab_faults WHERE times > 0 ORDER BY id`)
	if err != nil {
		return nil, translate(err)
	}
	faults, err := pgx.CollectRows(rows, pgx.RowToStructByPos[step.Fault])
	return faults, translate(err)
}

// Waiting lists the living processes that stand still at a step, the longest waiting first.
func (s *Store) Waiting(ctx context.Context) ([]step.Waiting, error) {
	rows, err := s.pool.Query(ctx, `SELECT instance, step, message_id, since FROM lab_waits
		WHERE NOT released AND process_alive(instance) ORDER BY id`)
	if err != nil {
		return nil, translate(err)
	}
	waiting, err := pgx.CollectRows(rows, pgx.RowToStructByPos[step.Waiting])
	return waiting, translate(err)
}

// Release lets the longest waiting process go on, or the given instance, and says whether there was one.
func (s *Store) Release(ctx context.Context, instance int64) (bool, error) {
	tag, err := s.pool.Exec(ctx, `UPDATE lab_waits SET released = true WHERE id = (
		SELECT id FROM lab_waits WHERE NOT released AND $1::bigint IN (0, instance) AND process_alive(instance)
		ORDER BY id LIMIT 1)`, instance)
	return tag.RowsAffected() > 0, translate(err)
}
