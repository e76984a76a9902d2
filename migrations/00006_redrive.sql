-- A dead letter that a person sent back keeps its row, and when that was.

-- +goose Up
ALTER TABLE dead_letters ADD COLUMN redriven_at timestamptz;
CREATE INDEX dead_letters_waiting ON dead_letters (id) WHERE redriven_at IS NULL;

-- +goose Down
ALTER TABLE dead_letters DROP COLUMN redriven_at;
