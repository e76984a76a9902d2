package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// The states of a job. Stopped means that the process that worked on it is gone.
const (
	jobWaiting  = "waiting"
	jobRunning  = "running"
	jobFinished = "finished"
	jobStopped  = "stopped"
)

// AddJob asks whoever owns the lanes for a piece of work.
func (s *Store) AddJob(ctx context.Context, job step.Job) error {
	return s.putJob(ctx, job, jobWaiting)
}

// KeepJob keeps a piece of work that is done.
func (s *Store) KeepJob(ctx context.Context, job step.Job) error {
	return s.putJob(ctx, job, jobFinished)
}

func (s *Store) putJob(ctx context.Context, job step.Job, state string) error {
	_, err := s.pool.Exec(ctx, `INSERT INTO lab_jobs (id, kind, spec, state, document) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET state = excluded.state, document = excluded.document`,
		job.ID, job.Kind, job.Spec, state, job.Document)
	return translate(err)
}

// TakeJob takes the oldest job that waits; ok is false when there is none.
func (s *Store) TakeJob(ctx context.Context) (job step.Job, ok bool, err error) {
	err = translate(s.pool.QueryRow(ctx, `UPDATE lab_jobs SET state = $1 WHERE id = (
			SELECT id FROM lab_jobs WHERE state = $2 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, kind, spec, document`, jobRunning, jobWaiting).
		Scan(&job.ID, &job.Kind, &job.Spec, &job.Document))
	if errors.Is(err, payments.ErrNotFound) {
		return job, false, nil
	}
	return job, err == nil, err
}

// ShowJob writes what is to be seen of a job that runs.
func (s *Store) ShowJob(ctx context.Context, id string, document json.RawMessage) error {
	_, err := s.pool.Exec(ctx, `UPDATE lab_jobs SET document = $2 WHERE id = $1`, id, document)
	return translate(err)
}

// EndJob writes the last of a job.
func (s *Store) EndJob(ctx context.Context, id string, document json.RawMessage, finished bool) error {
	state := jobFinished
	if !finished {
		state = jobStopped
	}
	_, err := s.pool.Exec(ctx, `UPDATE lab_jobs SET document = $2, state = $3 WHERE id = $1`, id, document, state)
	return translate(err)
}

// StopJobs says of jobs that were running that nobody works on them any more: their owner is gone.
func (s *Store) StopJobs(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `UPDATE lab_jobs SET state = $1,
			document = (document::jsonb || jsonb_build_object('state', $1::text))::json
		WHERE state = $2`, jobStopped, jobRunning)
	return translate(err)
}

// Job reads one job of a kind, or for "" the latest.
func (s *Store) Job(ctx context.Context, kind step.JobKind, id string) (json.RawMessage, error) {
	var document json.RawMessage
	err := s.pool.QueryRow(ctx, `SELECT document FROM lab_jobs
		WHERE kind = $1 AND ($2 = '' OR id = nullif($2, '')::uuid) ORDER BY id DESC LIMIT 1`, kind, id).Scan(&document)
	return document, translate(err)
}

// Jobs reads the newest jobs of a kind, newest first, without what makes them long.
func (s *Store) Jobs(ctx context.Context, kind step.JobKind, limit int) ([]json.RawMessage, error) {
	rows, err := s.pool.Query(ctx, `SELECT document::jsonb - 'events' - 'statement' - 'cells' FROM lab_jobs
		WHERE kind = $1 ORDER BY id DESC LIMIT $2`, kind, limit)
	if err != nil {
		return nil, translate(err)
	}
	documents, err := pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
	return documents, translate(err)
}

// Recording reads the newest report of a scenario that went as expected.
func (s *Store) Recording(ctx context.Context, scenario string) (json.RawMessage, error) {
	var document json.RawMessage
	err := s.pool.QueryRow(ctx, `SELECT document FROM lab_jobs
		WHERE kind = $1 AND spec ->> 'scenario' = $2 AND state = $3 AND document ->> 'ok' = 'true'
		ORDER BY id DESC LIMIT 1`, step.ScenarioJob, scenario, jobFinished).Scan(&document)
	return document, translate(err)
}
