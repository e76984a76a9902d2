-- Runs, matrices and explorations: asked for over HTTP, done by the process that owns the lanes, and
-- kept over a reset.

-- +goose Up
CREATE TABLE lab_jobs (
    id       uuid PRIMARY KEY,
    kind     text        NOT NULL CHECK (kind IN ('run', 'matrix', 'explore')),
    spec     jsonb       NOT NULL,
    state    text        NOT NULL CHECK (state IN ('waiting', 'running', 'finished', 'stopped')),
    document json        NOT NULL, -- as it is shown; json keeps the order of its names
    at       timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX lab_jobs_waiting ON lab_jobs (id) WHERE state = 'waiting';
CREATE INDEX lab_jobs_newest ON lab_jobs (kind, id DESC);

-- +goose Down
DROP TABLE lab_jobs;
