package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

const (
	insertAnswer = `INSERT INTO idempotency_keys (scope, key, fingerprint, status, headers, body, subject, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	insertOrder = `INSERT INTO orders (id, account, status, amount, currency, items, traceparent, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	// The strategy is taken from the lab's setting of this very moment and travels with the attempt.
	insertAttempt = `INSERT INTO attempts (message_id, order_id, payment_method, status, created_at, strategy)
		VALUES ($1, $2, $3, $4, $5, coalesce(nullif($6, ''),
			(SELECT value #>> '{}' FROM lab_settings WHERE name = 'strategy'), $7))`
	insertOutbox = `INSERT INTO outbox (message_id) VALUES ($1)`
)

// roundTrip bounds each of the two round trips, and not the step between them, which may wait.
const roundTrip = 10 * time.Second

// SaveCheckout writes the order, its attempt, the outbox row and the stored answer in one pipeline
// that begins with the key, and commits: one commit, two round trips. The unique key is the arbiter;
// whoever comes second waits for the first one's end, for as long as the store's lock timeout.
//
// Errors: [payments.ErrKeyTaken], [payments.ErrKeyInProgress] after the lock timeout,
// [payments.ErrUnknown] when the answer to COMMIT was lost; after all others nothing was written.
func (s *Store) SaveCheckout(ctx context.Context, a payments.Answer, c payments.Checkout) error {
	order, attempt := c.Order, c.Order.Attempts[0]
	batch := &pgx.Batch{}
	batch.BeginTx(pgx.TxOptions{})
	batch.Queue(insertAnswer, a.Scope, a.Key, a.Fingerprint, a.Status, a.Headers, a.Body, a.Subject, a.ExpiresAt)
	batch.Queue(insertOrder, order.ID, order.Account, order.Status, order.Amount, order.Currency, order.Items,
		order.Traceparent, order.CreatedAt)
	batch.Queue(insertAttempt, attempt.MessageID, order.ID, attempt.PaymentMethod, attempt.Status, order.CreatedAt,
		c.Strategy, step.DefaultSettings().Strategy)
	batch.Queue(insertOutbox, attempt.MessageID)
	return s.commit(ctx, batch)
}

// commit sends a batch that begins a transaction, reaches the step between the writes and COMMIT, and
// commits.
func (s *Store) commit(ctx context.Context, batch *pgx.Batch) error {
	writing, cancel := context.WithTimeout(ctx, roundTrip)
	defer cancel()
	results := s.pool.SendBatch(writing, batch)
	tx := results.Tx()
	defer func() { _ = tx.Rollback(ctx) }() // After a commit this does nothing.
	if err := results.Close(); lockTimedOut(err) {
		return fmt.Errorf("%w: %w", payments.ErrKeyInProgress, err)
	} else if err != nil {
		return translate(err)
	}
	if err := s.Probe.Reach(ctx, step.APIWritten); err != nil {
		return err
	}
	committing, cancel := context.WithTimeout(ctx, roundTrip)
	defer cancel()
	err := tx.Commit(committing)
	if errors.Is(err, pgx.ErrTxCommitRollback) {
		return translate(err)
	}
	if err != nil {
		return fmt.Errorf("%w: the answer to COMMIT was lost: %w", payments.ErrUnknown, err)
	}
	return nil
}

// FindAnswer reads the stored answer of a key that has not expired, by the database's clock.
func (s *Store) FindAnswer(ctx context.Context, scope, key string) (payments.Answer, error) {
	a := payments.Answer{Scope: scope, Key: key}
	row := s.pool.QueryRow(ctx, `SELECT fingerprint, status, headers, body, subject, expires_at
		FROM idempotency_keys WHERE scope = $1 AND key = $2 AND expires_at > now()`, scope, key)
	err := row.Scan(&a.Fingerprint, &a.Status, &a.Headers, &a.Body, &a.Subject, &a.ExpiresAt)
	return a, translate(err)
}

// ForgetExpired deletes one key if its time is over, so that it can be used anew.
func (s *Store) ForgetExpired(ctx context.Context, scope, key string) error {
	_, err := s.pool.Exec(ctx,
		`DELETE FROM idempotency_keys WHERE scope = $1 AND key = $2 AND expires_at <= now()`, scope, key)
	return translate(err)
}
