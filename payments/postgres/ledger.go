package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// Ledger writes what a payment leaves behind in our own books.
type Ledger struct{ store *Store }

// NewLedger makes a ledger on the store.
func NewLedger(s *Store) *Ledger { return &Ledger{s} }

// Apply writes the local effects in one transaction: the status only from the expected state, the
// points always, the receipt at most once per attempt. Applied twice it gives points twice, one
// receipt, and the first charge id: that is what the strategies are about.
func (l *Ledger) Apply(ctx context.Context, job payments.ChargeJob, o payments.Outcome) error {
	return l.write(ctx, job, o, func(pgx.Tx) error { return nil })
}

// ApplyOnce marks the key as done and writes the effects, in one transaction. A key that is marked
// already gives [payments.ErrAlreadyDone] and no effects.
func (l *Ledger) ApplyOnce(ctx context.Context, key payments.Key, job payments.ChargeJob, o payments.Outcome) error {
	return l.write(ctx, job, o, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO seen_set (key) VALUES ($1) ON CONFLICT DO NOTHING`, key)
		if err == nil && tag.RowsAffected() == 0 {
			return payments.ErrAlreadyDone
		}
		return translate(err)
	})
}

// Complete ends the claim and writes the effects, in one transaction. A claim that was taken over
// completes nothing: [payments.ErrAlreadyDone] when the work is done, else [payments.ErrHeld].
func (l *Ledger) Complete(ctx context.Context, c payments.Claim, job payments.ChargeJob, o payments.Outcome) error {
	return l.write(ctx, job, o, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx,
			`UPDATE claims SET done = true WHERE key = $1 AND fence = $2 AND NOT done`, c.Key, c.Fence)
		if err != nil || tag.RowsAffected() > 0 {
			return translate(err)
		}
		var done bool
		if err := tx.QueryRow(ctx, `SELECT done FROM claims WHERE key = $1`, c.Key).Scan(&done); err != nil {
			return translate(err)
		}
		if done {
			return payments.ErrAlreadyDone
		}
		return payments.ErrHeld
	})
}

// write writes the effects in the transaction in which the guard lets it.
func (l *Ledger) write(
	ctx context.Context, job payments.ChargeJob, o payments.Outcome, guard func(pgx.Tx) error,
) error {
	effects := step.Detail{}
	err := l.store.inTx(ctx, func(tx pgx.Tx) error {
		err := guard(tx)
		if err == nil {
			effects, err = apply(ctx, tx, job, o)
		}
		return err
	})
	if err != nil {
		return err
	}
	l.store.Probe.Note(ctx, step.LedgerEffects, effects)
	return nil
}

// apply sends the effects as one batch. A late loser never overwrites a winner: a decline is recorded
// only while the attempt is undecided, a charge also over a decline that proved wrong.
func apply(ctx context.Context, tx pgx.Tx, job payments.ChargeJob, o payments.Outcome) (step.Detail, error) {
	batch := &pgx.Batch{}
	if !o.Charged() {
		batch.Queue(`UPDATE attempts SET status = 'failed', decline_code = $2, charge_id = $3
			WHERE message_id = $1 AND status IN ('open', 'needs_attention')`, job.MessageID, o.Declined, o.ChargeID)
		batch.Queue(`UPDATE orders SET status = 'failed'
			WHERE id = $1 AND status IN ('pending', 'needs_attention')`, job.OrderID)
		return step.Detail{}, translate(tx.SendBatch(ctx, batch).Close())
	}
	points := job.Total().MajorUnits()
	batch.Queue(`UPDATE attempts SET status = 'paid', charge_id = $2
		WHERE message_id = $1 AND status IN ('open', 'needs_attention', 'failed')`, job.MessageID, o.ChargeID)
	batch.Queue(`UPDATE orders SET points = points + $2,
			status = CASE WHEN status IN ('pending', 'needs_attention', 'failed') THEN 'paid' ELSE status END
		WHERE id = $1`, job.OrderID, points)
	receipt := 0
	batch.Queue(`WITH receipt AS (
			INSERT INTO mail_outbox (order_id, message_id, kind) VALUES ($1, $2, $3)
			ON CONFLICT (message_id, kind) DO NOTHING RETURNING 1)
		SELECT count(*) FROM receipt`, job.OrderID, job.MessageID, payments.ReceiptKind).
		QueryRow(func(row pgx.Row) error { return row.Scan(&receipt) })
	err := tx.SendBatch(ctx, batch).Close()
	return step.Detail{PointsDelta: points, Receipt: receipt}, translate(err)
}
