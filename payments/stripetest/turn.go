package stripetest

import (
	"encoding/json"
	"net/http"
	"time"
)

// A Call is one request to the API, free of HTTP.
type Call struct {
	ID      string // The Request-Id.
	Account string
	Method  string
	Path    string
	Form    string // Query and body, still encoded.
	Key     string // The Idempotency-Key, empty for none.
	At      time.Time
}

// An Answer is what the bank has to say to a call.
type Answer struct {
	Status   int // 0 when nobody gets it.
	Body     []byte
	Original string // The id of the call that was executed under this key, empty without one.
	Executed bool
	Replayed bool
}

// A turn is one call on its way through the bank: begun, then, unless that settled it, executed. In
// between, a call with the same key is a conflict. Nothing changes before its entry is applied.
type turn struct {
	call    Call
	account *account
	newID   func(prefix string) string
	now     time.Time
	first   *keptAnswer // What the key will remember, nil without a key.
	execute execution   // What is still to be done, nil once there is an answer.
	entry   entry
	answer  Answer
	spoilt  bool // The answer is a 500, though all was done.
}

// An execution does what a call asks for and returns the object to answer with. Whatever comes out
// of it, good or bad, is remembered under the call's key.
type execution func(*turn) (any, *apiError)

// Do performs a call from beginning to end.
func (b *Bank) Do(c Call) Answer {
	t := b.begin(c)
	defer t.release()
	if t.execute != nil {
		b.finish(t, c.At)
	}
	b.apply(t.entry)
	return t.answer
}

// begin settles what needs no execution: refusals and replays. Anything else claims its key.
func (b *Bank) begin(c Call) *turn {
	t := &turn{call: c, account: b.account(c.Account), newID: b.newID}
	t.now = t.account.time(c.At)
	given, err := decodeParams(c.Form)
	if err != nil {
		return t.refuse(err)
	}
	if settled := t.recall(given); settled {
		return t
	}
	prepare, id, found := findRoute(c.Method, c.Path)
	if !found {
		return t.refuse(noSuchRoute(c.Method, c.Path))
	}
	r := &reader{params: given}
	execute := prepare(id, r)
	if err := r.finish(); err != nil {
		return t.refuse(err)
	}
	if t.first != nil {
		t.account.keys.claim(t.first)
	}
	t.execute = execute
	return t
}

// recall settles a call whose key was used before. It comes ahead of the router and of validation,
// so that a key spent elsewhere is named as the mistake. On reads a key means nothing.
func (t *turn) recall(given params) (settled bool) {
	if t.call.Method != http.MethodPost || t.call.Key == "" {
		return false
	}
	t.first = &keptAnswer{
		Key: t.call.Key, Path: t.call.Path, Fingerprint: given.fingerprint(), Request: t.call.ID,
	}
	t.account.keys.forget(t.now)
	answer, err := t.account.keys.recall(t.first)
	switch {
	case err != nil:
		t.refuse(err)
	case answer != nil:
		t.replay(answer)
	}
	return err != nil || answer != nil
}

// finish executes a turn that begin left open.
func (b *Bank) finish(t *turn, at time.Time) {
	execute := t.execute
	t.execute = nil
	if b.accounts[t.call.Account] != t.account {
		t.refuse(internal("The account was reset while this request was in flight."))
		return
	}
	t.now = t.account.time(at)
	status, body := t.render(execute(t))
	if t.spoilt {
		status, body = t.render(nil, armedError())
	}
	answer := Answer{Status: status, Body: body, Executed: t.call.Method == http.MethodPost}
	if t.first != nil {
		answer.Original = t.call.ID
		t.first.At, t.first.Status, t.first.Body = t.now, status, body
		t.entry.Kept = t.first
	}
	t.settle(answer)
}

// refused is a turn that ends before the bank looks at its call.
func (b *Bank) refused(c Call, err *apiError) *turn {
	t := &turn{call: c, account: b.account(c.Account), newID: b.newID}
	t.now = t.account.time(c.At)
	return t.refuse(err)
}

func (t *turn) refuse(err *apiError) *turn {
	status, body := t.render(nil, err)
	return t.settle(Answer{Status: status, Body: body})
}

func (t *turn) replay(kept *keptAnswer) *turn {
	return t.settle(Answer{Status: kept.Status, Body: kept.Body, Original: kept.Request, Replayed: true})
}

func (t *turn) settle(answer Answer) *turn {
	t.answer = answer
	t.entry.Account = t.call.Account
	t.entry.Request = &Request{
		ID: t.call.ID, At: t.now, Method: t.call.Method, Path: t.call.Path, IdempotencyKey: t.call.Key,
		Executed: answer.Executed, Replayed: answer.Replayed, Status: answer.Status,
	}
	return t
}

// cut keeps the answer from the caller: whatever happened has happened.
func (t *turn) cut() {
	t.answer.Status, t.entry.Request.Status = 0, 0
}

// release gives the key up, whether or not an answer was kept under it.
func (t *turn) release() {
	if t.first != nil {
		t.account.keys.release(t.first)
	}
}

// render turns an object or an error into status and body.
func (t *turn) render(object any, err *apiError) (int, []byte) {
	if err == nil {
		return http.StatusOK, encode(object)
	}
	return err.status, err.body(t.call.ID)
}

// encode cannot fail: every object here is made of strings, integers and flags.
func encode(object any) []byte {
	body, err := json.Marshal(object)
	if err != nil {
		panic("stripetest: " + err.Error())
	}
	return body
}
