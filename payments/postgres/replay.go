package postgres

import (
	"context"
	"time"
)

// EndLeases ends every lease now, whoever works under it.
func (s *Store) EndLeases(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `UPDATE claims SET until = clock_timestamp() WHERE NOT done`)
	return translate(err)
}

// SettledSince says whether a process has ended a turn since a moment.
func (s *Store) SettledSince(ctx context.Context, instance int64, since time.Time) (bool, error) {
	var settled bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM lab_trace
		WHERE instance = $1 AND step = 'worker.settled' AND at > $2)`, instance, since).Scan(&settled)
	return settled, translate(err)
}

// LastRedelivered is the broker's hint on the delivery that a process was handed last.
func (s *Store) LastRedelivered(ctx context.Context, instance int64) (bool, error) {
	var redelivered bool
	err := s.pool.QueryRow(ctx, `SELECT coalesce((detail->>'redelivered')::boolean, false) FROM lab_trace
		WHERE instance = $1 AND step = 'broker.deliver' ORDER BY row_id DESC LIMIT 1`, instance).Scan(&redelivered)
	return redelivered, translate(err)
}
