package stripetest

import "time"

// journalLimit bounds the memory of an account: a page that polls all day must not fill it.
const journalLimit = 10_000

// A Request is one line of the journal: a call that reached an account, and how it was answered.
type Request struct {
	ID             string    `json:"id"`
	At             time.Time `json:"at"`
	Method         string    `json:"method"`
	Path           string    `json:"path"`
	IdempotencyKey string    `json:"idempotency_key"`
	Executed       bool      `json:"executed"`
	Replayed       bool      `json:"replayed"`
	Status         int       `json:"status"` // 0 when the answer was cut.

	sequence int64
}

// A journal is what an account was asked. Requests and charges are counted apart, because one is not
// the other: that is the lesson.
type journal struct {
	requests []Request
}

// add drops the oldest half when there are twice too many, so that dropping costs next to nothing.
func (j *journal) add(r Request, sequence int64) {
	r.sequence = sequence
	if len(j.requests) == 2*journalLimit {
		j.requests = append([]Request(nil), j.requests[journalLimit:]...)
	}
	j.requests = append(j.requests, r)
}
