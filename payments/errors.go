package payments

import (
	"errors"
	"fmt"
)

// The kinds of errors of the domain. Packages at the edges wrap them; one place in api turns them
// into HTTP.
var (
	// ErrInvalid says that an input can never work as it is.
	ErrInvalid = errors.New("invalid")
	// ErrNotFound says that the thing asked for does not exist for this account.
	ErrNotFound = errors.New("not found")
	// ErrConflict says that the state does not allow it now.
	ErrConflict = errors.New("conflict")
	// ErrUnavailable says that something needed is down; nothing was done and trying again is safe.
	ErrUnavailable = errors.New("unavailable")
	// ErrUnknown says that nobody can tell whether it happened: the answer was lost. It is a state of
	// its own and never a failure.
	ErrUnknown = errors.New("outcome unknown")
	// ErrAlreadyDone says that this message was handled before; its delivery is acked.
	ErrAlreadyDone = errors.New("already done")
	// ErrHeld says that somebody else is at work on this message just now; try again later.
	ErrHeld = errors.New("held by another worker")
	// ErrHopeless says that trying the same thing again cannot help; its message is dead-lettered.
	ErrHopeless = errors.New("hopeless")
)

// FieldError is an [ErrInvalid] that names the field, in the notation of the JSON body: items[0].sku.
type FieldError struct {
	Field  string
	Detail string
}

// InvalidField makes a [FieldError].
func InvalidField(field, format string, args ...any) *FieldError {
	return &FieldError{Field: field, Detail: fmt.Sprintf(format, args...)}
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Detail }

// Unwrap makes every FieldError an [ErrInvalid].
func (e *FieldError) Unwrap() error { return ErrInvalid }

// Within is the same error seen from the object that has the field's object at this place.
func (e *FieldError) Within(parent string) *FieldError {
	return &FieldError{Field: parent + "." + e.Field, Detail: e.Detail}
}
