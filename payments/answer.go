package payments

import (
	"errors"
	"time"
)

// The ways in which an idempotency key can be in somebody else's hands.
var (
	// ErrKeyTaken says that a committed request holds the key: read its answer and compare.
	ErrKeyTaken = errors.New("idempotency key taken")
	// ErrKeyInProgress says that a request with the key is still running, or was a moment ago.
	ErrKeyInProgress = errors.New("idempotency key in progress")
)

// Answer is a stored HTTP answer under an idempotency key. It is written in the same transaction as
// the work it answers for, so it exists if, and only if, that work is committed.
type Answer struct {
	// Scope is the account, because keys of two customers may be equal.
	Scope string
	Key   string
	// Fingerprint is a hash of the request; another one under the same key is another request.
	Fingerprint []byte
	Status      int
	Headers     map[string]string
	Body        []byte
	// Subject is the order's id, for the trace.
	Subject   string
	ExpiresAt time.Time
}
