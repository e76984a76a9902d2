package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"example.com/doublecharge/payments"
)

// The SQLSTATEs that mean something to the domain.
const (
	uniqueViolation        = "23505"
	foreignKeyViolation    = "23503"
	lockNotAvailable       = "55P03"
	invalidTextRepresented = "22P02"
	notInRepertoire        = "22021" // a NUL, or what is not UTF-8
	undefinedTable         = "42P01"
	deadlockDetected       = "40P01"
	invalidSchemaName      = "3F000"
)

// translate turns what the driver says into the errors of the domain. Anything unexpected stays what
// it is and is logged at the edge.
func translate(err error) error {
	var pgErr *pgconn.PgError
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, pgx.ErrNoRows):
		return payments.ErrNotFound
	case errors.As(err, &pgErr):
		return translateState(pgErr)
	default: // The server could not be reached, or the connection broke.
		return fmt.Errorf("%w: %w", payments.ErrUnavailable, err)
	}
}

func translateState(err *pgconn.PgError) error {
	switch {
	case err.Code == uniqueViolation && err.ConstraintName == "idempotency_keys_pkey":
		return fmt.Errorf("%w: %w", payments.ErrKeyTaken, err)
	case err.Code == uniqueViolation:
		return fmt.Errorf("%w: %w", payments.ErrConflict, err)
	case err.Code == foreignKeyViolation:
		return fmt.Errorf("%w: %w", payments.ErrNotFound, err)
	case err.Code == invalidTextRepresented, err.Code == notInRepertoire:
		return fmt.Errorf("%w: %w", payments.ErrInvalid, err)
	case unavailable(err.Code):
		return fmt.Errorf("%w: %w", payments.ErrUnavailable, err)
	default:
		return err
	}
}

// lockTimedOut says whether a statement gave up waiting for somebody else's lock.
func lockTimedOut(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == lockNotAvailable
}

// unavailable says whether the server, or its schema, is not there yet or not there any more: classes
// a lock not given in time, and the classes 08 connection, 53 resources, 57 operator intervention, 58 system.
func unavailable(code string) bool {
	switch code {
	case undefinedTable, invalidSchemaName, lockNotAvailable, deadlockDetected:
		return true
	}
	for _, class := range []string{"08", "53", "57", "58"} {
		if strings.HasPrefix(code, class) {
			return true
		}
	}
	return false
}
