package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/step"
)

const insertFault = `INSERT INTO lab_faults (point, action, times, skip, duration_ms, account, worker, delivery)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`

func faultValues(f step.Fault) []any {
	return []any{f.Point, f.Action, f.Times, f.Skip, f.DurationMS, f.Account, f.Worker, f.Delivery}
}

// Arm adds a fault and gives it its id.
func (s *Store) Arm(ctx context.Context, f step.Fault) (step.Fault, error) {
	err := s.pool.QueryRow(ctx, insertFault, faultValues(f)...).Scan(&f.ID)
	return f, translate(err)
}

// Disarm removes all faults.
func (s *Store) Disarm(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM lab_faults`)
	return translate(err)
}

// Armed lists the faults that have still to strike, oldest first.
func (s *Store) Armed(ctx context.Context) ([]step.Fault, error) {
	rows, err := s.pool.Query(ctx, `SELECT id, point, action, times, skip, duration_ms, account, worker, delivery
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
