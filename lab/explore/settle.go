package explore

import (
	"errors"
	"slices"

	"example.com/doublecharge/payments"
)

// afterwards marks the ack of the loop, which comes when Handle has returned.
const afterwards payments.Key = "afterwards"

// resume runs the worker up to its next call or, where Handle returns, settles as the delivery loop does.
// A settlement that is no ack is not an event of its own: nothing can come between.
func (r *rules) resume(s *state, i int) {
	w := &s.workers[i]
	next, returned, err := r.handler.next(*w)
	switch {
	case !returned:
		w.next = next
		return
	case w.acked:
	case err == nil, errors.Is(err, payments.ErrAlreadyDone):
		w.next = call{verb: ack, key: afterwards}
		return
	case hopeless(err), w.message.attempt >= lastAttempt:
		s.books.park(w.message.order)
	default: // A retry is a fresh message with the same id.
		m := w.message
		m.redelivered, m.attempt, m.second = false, m.attempt+1, m.second+1
		s.queue = append(s.queue, m)
	}
	*w = worker{}
	s.books.leave(int8(i))
}

// seen says whether a set has the key. The hybrid asks Redis, then the truth, and tells Redis its yes.
func (b *books) seen(set where, key payments.Key) bool {
	switch set {
	case inUnguarded:
		return slices.Contains(b.rows, key)
	case inRedis:
		return slices.Contains(b.redis, key)
	case inHybrid:
		if slices.Contains(b.redis, key) {
			return true
		}
		if slices.Contains(b.marks, key) {
			b.redis = with(b.redis, key)
			return true
		}
		return false
	default:
		return slices.Contains(b.marks, key)
	}
}

// markIn marks a key in a set.
func (b *books) markIn(set where, key payments.Key) error {
	switch set {
	case inUnguarded:
		b.rows = with(b.rows, key)
	case inRedis:
		if slices.Contains(b.redis, key) {
			return payments.ErrAlreadyDone
		}
		b.redis = with(b.redis, key)
	case inHybrid:
		if err := b.mark(key); err != nil {
			return err
		}
		b.redis = with(b.redis, key)
	default:
		return b.mark(key)
	}
	return nil
}
