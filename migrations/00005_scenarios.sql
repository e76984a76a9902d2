-- Scenarios are played as jobs, too.

-- +goose Up
ALTER TABLE lab_jobs DROP CONSTRAINT lab_jobs_kind_check,
    ADD CONSTRAINT lab_jobs_kind_check CHECK (kind IN ('run', 'matrix', 'explore', 'scenario'));
CREATE INDEX lab_jobs_recordings ON lab_jobs ((spec ->> 'scenario'), id DESC) WHERE kind = 'scenario';

-- +goose Down
DROP INDEX lab_jobs_recordings;
DELETE FROM lab_jobs WHERE kind = 'scenario';
ALTER TABLE lab_jobs DROP CONSTRAINT lab_jobs_kind_check,
    ADD CONSTRAINT lab_jobs_kind_check CHECK (kind IN ('run', 'matrix', 'explore'));
