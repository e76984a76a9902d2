-- The shop: orders, their payment attempts, and what makes one checkout one order.

-- +goose Up
CREATE TABLE orders (
    id          uuid PRIMARY KEY,
    account     text        NOT NULL,
    status      text        NOT NULL CHECK (status IN ('pending', 'paid', 'failed', 'needs_attention', 'refunded')),
    amount      bigint      NOT NULL CHECK (amount > 0), -- minor units
    currency    text        NOT NULL,
    items       jsonb       NOT NULL,
    points      bigint      NOT NULL DEFAULT 0,
    traceparent text        NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL
);
CREATE INDEX orders_newest ON orders (account, id DESC); -- ids are UUIDv7: newest last

CREATE TABLE attempts (
    message_id     uuid PRIMARY KEY,
    order_id       uuid        NOT NULL REFERENCES orders,
    payment_method text        NOT NULL,
    status         text        NOT NULL CHECK (status IN ('open', 'paid', 'failed', 'needs_attention', 'refunded')),
    strategy       text        NOT NULL,
    charge_id      text        NOT NULL DEFAULT '',
    decline_code   text        NOT NULL DEFAULT '',
    created_at     timestamptz NOT NULL
);
CREATE INDEX attempts_of_order ON attempts (order_id);
-- Whatever the keys say: an order has at most one attempt under way and at most one that succeeded.
CREATE UNIQUE INDEX attempts_one_open ON attempts (order_id) WHERE status = 'open';
CREATE UNIQUE INDEX attempts_one_paid ON attempts (order_id) WHERE status = 'paid';

-- A row exists if, and only if, the work of its request is committed; it holds the whole answer.
CREATE TABLE idempotency_keys (
    scope       text COLLATE "C" NOT NULL, -- the account
    key         text COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
    fingerprint bytea       NOT NULL,
    status      smallint    NOT NULL,
    headers     jsonb       NOT NULL,
    body        bytea       NOT NULL, -- the exact bytes; jsonb would not give them back
    subject     text        NOT NULL DEFAULT '', -- the order, for the trace
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

-- A row says: the charge job of this attempt is to be published. It points at the attempt, whose facts
-- never change, so every publish of one attempt is the same message. A redelivery is another row.
CREATE TABLE outbox (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid        NOT NULL REFERENCES attempts,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at    timestamptz,
    attempts   int         NOT NULL DEFAULT 0,
    last_error text        NOT NULL DEFAULT ''
);
CREATE INDEX outbox_unsent ON outbox (id) WHERE sent_at IS NULL;

-- +goose Down
DROP TABLE outbox, idempotency_keys, attempts, orders;
