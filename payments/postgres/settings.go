package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/step"
)

// Settings reads the lab's settings, the defaults where nothing was set.
func (s *Store) Settings(ctx context.Context) (step.Settings, error) {
	settings := step.DefaultSettings()
	var stored []byte
	err := s.pool.QueryRow(ctx, `SELECT coalesce(jsonb_object_agg(name, value), '{}') FROM lab_settings`).Scan(&stored)
	if err != nil {
		return settings, translate(err)
	}
	return settings, json.Unmarshal(stored, &settings)
}

// Change writes the settings that the change names and, unless faults is nil, replaces the armed
// faults, in one transaction. Where the step mode ends, whoever waits for it sees that and goes on.
func (s *Store) Change(ctx context.Context, change step.Change, faults []step.Fault) error {
	values, err := named(change)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		// In the order of their names: two changes that lock the same rows in other orders would deadlock.
		for _, name := range slices.Sorted(maps.Keys(values)) {
			batch.Queue(`INSERT INTO lab_settings (name, value) VALUES ($1, $2)
				ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, values[name])
		}
		if faults != nil {
			batch.Queue(`DELETE FROM lab_faults`)
		}
		for _, f := range faults {
			batch.Queue(insertFault, faultValues(f)...)
		}
		if len(values) > 0 {
			batch.Queue(`INSERT INTO lab_trace (order_id, message_id, delivery, step, detail)
				VALUES ('', '', 0, $1, $2)`, step.SettingsChanged, step.Detail{Settings: values})
		}
		return translate(tx.SendBatch(ctx, batch).Close())
	})
}

// named gives the settings that a change names, by their JSON names.
func named(change step.Change) (map[string]json.RawMessage, error) {
	data, err := json.Marshal(change)
	if err != nil {
		return nil, fmt.Errorf("encode the settings: %w", err)
	}
	values := map[string]json.RawMessage{}
	return values, json.Unmarshal(data, &values)
}
