// Package idempotency makes a POST safe to repeat. A handler prepares what it would write and what it
// would answer; the layer commits both in one transaction, or finds that somebody did before.
//
//	prepare ─▶ save: key, work and answer in one commit ─▶ send the answer
//	                │ key taken: read the stored answer ─▶ same request? replay : 422
//	                └ key in somebody's open transaction ─▶ 409, try again
//
// There is no lock, no lease and no "in progress" row that a crash could leave behind: the unique key
// in the database is the arbiter, and its row exists if, and only if, the work is committed.
package idempotency

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// ErrKeyReused says that the key was used for another request.
var ErrKeyReused = errors.New("this Idempotency-Key was used for another request")

const (
	// Lifetime is how long a key is remembered.
	Lifetime = 24 * time.Hour
	// rereadTime bounds the look for a stored answer. Saving bounds itself.
	rereadTime = 10 * time.Second
	// maxWaiting is how many duplicates wait for their first at once, each on a connection of its own.
	// The others are told to come back.
	maxWaiting = 8
)

// Answers reads stored answers.
type Answers interface {
	FindAnswer(ctx context.Context, scope, key string) (payments.Answer, error)
	ForgetExpired(ctx context.Context, scope, key string) error
}

// Prepared is what a handler would do: the work to be written, the answer to it, the request's body in
// its canonical form, and whose payment it is.
type Prepared[W any] struct {
	Work      W
	Status    int
	Headers   map[string]string
	Body      []byte
	Canonical []byte
	Subject   step.Subject
}

// Layer serves one kind of work.
type Layer[W any] struct {
	// Prepare validates the request. Its errors are not stored: the same key may be used again.
	Prepare func(r *http.Request) (Prepared[W], error)
	// Save commits the answer and the work together; its errors are those of package payments.
	Save    func(ctx context.Context, answer payments.Answer, work W) error
	Answers Answers
	// Scope is the account of a request, so that equal keys of two accounts are two keys.
	Scope func(r *http.Request) string
	// Fail answers with an error.
	Fail  func(w http.ResponseWriter, r *http.Request, err error)
	Probe step.Probe
	Now   func() time.Time

	mu      sync.Mutex
	running map[string]int
	waiting int
}

// ServeHTTP answers a request once, and every repetition of it with the same bytes.
func (l *Layer[W]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, replayed, err := l.answer(r)
	if err != nil {
		l.Fail(w, r, err)
		return
	}
	for name, value := range answer.Headers {
		w.Header().Set(name, value)
	}
	w.Header().Set("Cache-Control", "no-store")
	outcome := ""
	if replayed {
		w.Header().Set(ReplayedHeader, "true")
		outcome = "replayed"
	}
	subject := step.Subject{OrderID: answer.Subject, Account: answer.Scope}
	l.Probe.Note(step.About(r.Context(), subject), step.HTTPRequest, step.Detail{
		From: "api", To: "client", Key: answer.Key, Status: answer.Status, Outcome: outcome,
	})
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body) // A client that hung up will ask again.
}

func (l *Layer[W]) answer(r *http.Request) (answer payments.Answer, replayed bool, err error) {
	key, err := ParseKey(r.Header)
	if err != nil {
		return answer, false, err
	}
	prepared, err := l.Prepare(r)
	if err != nil {
		return answer, false, err
	}
	answer = payments.Answer{
		Scope: l.Scope(r), Key: key, Fingerprint: fingerprint(r, prepared.Canonical), Status: prepared.Status,
		Headers: prepared.Headers, Body: prepared.Body, Subject: prepared.Subject.OrderID,
		ExpiresAt: l.Now().Add(Lifetime),
	}
	leave, ok := l.enter(answer.Scope + "\x1f" + key)
	if !ok {
		return answer, false, payments.ErrKeyInProgress
	}
	defer leave()
	// A client that hangs up cannot cut in half what has begun.
	ctx := step.About(context.WithoutCancel(r.Context()), prepared.Subject)
	l.Probe.Note(ctx, step.HTTPRequest, step.Detail{From: "client", To: "api", Key: key})
	if err := l.Probe.Reach(ctx, step.APIReceived); err != nil {
		return answer, false, err
	}
	return l.commit(ctx, answer, prepared.Work)
}

// commit saves, or finds out who did before.
func (l *Layer[W]) commit(ctx context.Context, answer payments.Answer, work W) (payments.Answer, bool, error) {
	err := l.Save(ctx, answer, work)
	stored, findErr := l.reread(ctx, answer, err)
	if errors.Is(err, payments.ErrKeyTaken) && errors.Is(findErr, payments.ErrNotFound) {
		// The time of the key is over: it is used anew.
		if err := l.Answers.ForgetExpired(ctx, answer.Scope, answer.Key); err != nil {
			return answer, false, err
		}
		err = l.Save(ctx, answer, work)
		stored, findErr = l.reread(ctx, answer, err)
	}
	switch {
	case err == nil:
		return answer, false, l.Probe.Reach(ctx, step.APICommitted)
	case !errors.Is(err, payments.ErrKeyTaken) && !errors.Is(err, payments.ErrUnknown):
		return answer, false, err
	case findErr == nil && bytes.Equal(stored.Fingerprint, answer.Fingerprint):
		return stored, true, nil
	case findErr == nil:
		return answer, false, ErrKeyReused
	default:
		return answer, false, fmt.Errorf("%w: %w", payments.ErrUnknown, errors.Join(err, findErr))
	}
}

// reread looks for the stored answer when saving ended in doubt: somebody had the key, or nobody knows
// whether the commit was ours.
func (l *Layer[W]) reread(ctx context.Context, a payments.Answer, saved error) (payments.Answer, error) {
	if !errors.Is(saved, payments.ErrKeyTaken) && !errors.Is(saved, payments.ErrUnknown) {
		return a, nil
	}
	ctx, cancel := context.WithTimeout(ctx, rereadTime)
	defer cancel()
	return l.Answers.FindAnswer(ctx, a.Scope, a.Key)
}

// enter counts the requests that run under a key. The first goes through; a few more may wait for it
// in the database; the rest are refused, so that duplicates cannot take every connection.
func (l *Layer[W]) enter(key string) (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running == nil {
		l.running = map[string]int{}
	}
	waits := l.running[key] > 0
	if waits && l.waiting == maxWaiting {
		return nil, false
	}
	l.running[key]++
	if waits {
		l.waiting++
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if waits {
			l.waiting--
		}
		if l.running[key]--; l.running[key] == 0 {
			delete(l.running, key)
		}
	}, true
}
