package strategy

import (
	"strings"

	"example.com/doublecharge/payments"
)

// TraceKey is the default with the trace id for a key.
//
// Survives: every crash, redelivery and lost answer.
// Breaks the sale: two messages of one trace, such as two orders of one visit, look like one.
//
//	trace t, order 1: look: not seen ── charge 1, key t ── mark + apply ── ack
//	trace t, order 2: look: seen, the same t ── ack
//	bank:   one charge for two orders
//	ledger: order 2 stays pending
//
// A trace says what belongs together, not what is the same.
func TraceKey(t Tools) Strategy { return SeenSetAndKey{traceID, t.Seen, t.Bank, t.Ledger} }

// traceID is the second field of a W3C traceparent; a job without a trace has only its message id.
func traceID(job payments.ChargeJob) payments.Key {
	fields := strings.Split(job.Traceparent, "-")
	if len(fields) < 2 {
		return MessageID(job)
	}
	return payments.Key(fields[1])
}
