-- The lab: who is running, what is armed, what happened. No foreign keys into the shop: what was
-- rolled back there still shows here.

-- +goose Up
CREATE TABLE processes (
    instance   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- unique for every start; pids are not
    role       text        NOT NULL,
    number     int         NOT NULL,
    pid        int         NOT NULL,
    ready      boolean     NOT NULL DEFAULT false,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at   timestamptz
);
CREATE INDEX processes_running ON processes (role, number) WHERE ended_at IS NULL;

-- A process lives while it holds the advisory lock of its instance: kill -9 closes the connection and
-- so ends the lock within milliseconds, which no heartbeat can match. The schema is part of the lock.
CREATE FUNCTION process_lock_class() RETURNS int LANGUAGE sql STABLE
    RETURN hashtext(current_schema());
CREATE FUNCTION process_alive(instance bigint) RETURNS boolean LANGUAGE sql STABLE
    RETURN EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND classid = (process_lock_class()::bigint & 4294967295)::oid
          AND objid = instance::oid
    );

CREATE TABLE lab_settings (
    name  text PRIMARY KEY,
    value jsonb NOT NULL
);

CREATE TABLE lab_faults (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    point       text   NOT NULL,
    action      text   NOT NULL,
    times       int    NOT NULL CHECK (times >= 0),
    skip        int    NOT NULL CHECK (skip >= 0),
    duration_ms bigint NOT NULL,
    account     text   NOT NULL DEFAULT '', -- filters: '' and 0 match everything
    worker      int    NOT NULL DEFAULT 0,
    delivery    int    NOT NULL DEFAULT 0,
    arrivals    int    NOT NULL DEFAULT 0, -- of a hold: how many must come before all go on
    arrived     int    NOT NULL DEFAULT 0
);
CREATE INDEX lab_faults_armed ON lab_faults (point, id) WHERE times > 0;

CREATE TABLE lab_trace (
    row_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id         bigint UNIQUE, -- given by the sequencer, in commit order; NULL until it is read
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    order_id   text        NOT NULL,
    message_id text        NOT NULL,
    delivery   int         NOT NULL,
    instance   bigint,
    step       text        NOT NULL,
    detail     jsonb       NOT NULL
);
CREATE SEQUENCE lab_trace_ids;
CREATE INDEX lab_trace_unread ON lab_trace (row_id) WHERE id IS NULL;
CREATE INDEX lab_trace_of_order ON lab_trace (order_id, id);
CREATE INDEX lab_trace_of_message ON lab_trace (message_id, step);
CREATE INDEX lab_trace_turns ON lab_trace (instance, message_id, delivery, row_id)
    WHERE step IN ('broker.deliver', 'worker.received', 'worker.acked', 'worker.settled',
        'relay.claimed', 'relay.published', 'relay.marked', 'mail.claimed', 'mail.sent', 'mail.marked');

CREATE INDEX lab_trace_queues ON lab_trace ((detail->>'queue')) WHERE detail ? 'queue';

CREATE TABLE lab_waits (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    instance   bigint      NOT NULL,
    step       text        NOT NULL,
    message_id text        NOT NULL,
    since      timestamptz NOT NULL DEFAULT clock_timestamp(),
    released   boolean     NOT NULL DEFAULT false,
    fault      bigint      NOT NULL DEFAULT 0, -- that makes it wait; when it is gone, so is the reason
    round      int         NOT NULL DEFAULT 0  -- its times then: when they go down, all who gathered go on
);

-- Orders of the lab to the supervisors, which poll.
CREATE TABLE lab_commands (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    role     text        NOT NULL,
    command  text        NOT NULL,
    given_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    done_at  timestamptz
);
CREATE INDEX lab_commands_waiting ON lab_commands (role, id) WHERE done_at IS NULL;

-- One row: the offset of the lab's clock, and when the table was last wiped clean.
CREATE TABLE lab_clock (
    only_row boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    ahead    interval    NOT NULL DEFAULT '0',
    reset_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO lab_clock DEFAULT VALUES;

-- Which start of its number a process is: counted since the last reset, those that lived on included.
CREATE VIEW process_starts AS
SELECT p.*, row_number() OVER (PARTITION BY role, number ORDER BY instance) AS start
FROM processes p, lab_clock c
WHERE p.ended_at IS NULL OR p.ended_at >= c.reset_at;

-- +goose Down
DROP VIEW process_starts;
DROP TABLE lab_clock, lab_commands, lab_waits, lab_trace, lab_faults, lab_settings, processes;
DROP SEQUENCE lab_trace_ids;
DROP FUNCTION process_alive, process_lock_class;
