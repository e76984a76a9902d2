-- What the worker remembers, the mail it owes, and what nobody will try again.

-- +goose Up
CREATE TABLE seen_set (
    key     text COLLATE "C" PRIMARY KEY,
    seen_at timestamptz NOT NULL DEFAULT now()
);

-- The same without the constraint, for the strategy that shows what it is worth.
CREATE TABLE seen_list (
    key     text COLLATE "C" NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX seen_list_key ON seen_list (key);

-- Who may work on a key, and until when. Each claim has a higher fence than the one before, and only the
-- highest can complete.
CREATE TABLE claims (
    key   text COLLATE "C" PRIMARY KEY,
    fence bigint      NOT NULL,
    until timestamptz NOT NULL,
    done  boolean     NOT NULL DEFAULT false
);

-- How often the broker handed out the attempt's message; the first is 1.
ALTER TABLE attempts ADD COLUMN deliveries int NOT NULL DEFAULT 0;

-- A receipt is written with the payment, and sent later, at least once: the post office takes no keys.
CREATE TABLE mail_outbox (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   uuid        NOT NULL REFERENCES orders,
    message_id uuid        NOT NULL REFERENCES attempts,
    kind       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at    timestamptz,
    UNIQUE (message_id, kind)
);
CREATE INDEX mail_outbox_unsent ON mail_outbox (id) WHERE sent_at IS NULL;

-- The customer's side of the post office. It belongs to nobody's transaction and has no unique rule:
-- what arrives twice is here twice.
CREATE TABLE mailbox (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id uuid        NOT NULL,
    kind     text        NOT NULL,
    at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mailbox_of_order ON mailbox (order_id);

CREATE TABLE dead_letters (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id  text        NOT NULL, -- as the message said, which need not be a UUID
    order_id    text        NOT NULL,
    reason      text        NOT NULL,
    first_error text        NOT NULL,
    last_error  text        NOT NULL,
    deliveries  int         NOT NULL,
    body        bytea       NOT NULL,
    at          timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
ALTER TABLE attempts DROP COLUMN deliveries;
DROP TABLE dead_letters, mailbox, mail_outbox, claims, seen_list, seen_set;
