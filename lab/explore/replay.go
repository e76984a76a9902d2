package explore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/strategy"
)

// verb is what a worker does next.
type verb string

// The verbs, as a schedule names them. Nothing and hand are no calls: the worker is idle, or its Handle
// has returned and the loop will ack.
const (
	nothing verb = ""
	deliver verb = "deliver"
	look    verb = "look"
	lock    verb = "claim"
	find    verb = "find"
	pay     verb = "charge"
	apply   verb = "apply"
	mark    verb = "mark"
	record  verb = "record"
	ack     verb = "ack"
	crashes verb = "crash"
)

// where is which set a look or a mark is about.
type where string

const (
	inSeen      where = "seen"
	inUnguarded where = "unguarded"
	inRedis     where = "redis"
	inHybrid    where = "hybrid"
)

// call is a call of a strategy to its tools.
type call struct {
	verb    verb
	set     where
	key     payments.Key
	claim   payments.Claim
	outcome payments.Outcome
	claimed bool // a record that completes a claim
}

// answer is what a call came to.
type answer struct {
	yes     bool
	outcome payments.Outcome
	claim   payments.Claim
	err     error
}

func (a answer) name() string {
	return fmt.Sprintf("[%t %s %s %d %v]", a.yes, a.outcome.ChargeID, a.claim.Key, a.claim.Fence, a.err)
}

// handler runs one strategy on recorded answers.
type handler struct {
	strategy strategy.Strategy
	answers  []answer
	message  message
	old      bool
	serial   int8
	minted   int
}

// Maker makes a strategy of tools.
type Maker func(strategy.Tools) strategy.Strategy

func newHandler(make Maker) *handler {
	h := &handler{}
	h.strategy = make(strategy.Tools{
		Bank: h, Ledger: h, Claims: h,
		Seen: setOf{h, inSeen}, Unguarded: setOf{h, inUnguarded}, Redis: setOf{h, inRedis}, Hybrid: setOf{h, inHybrid},
		Lease: func(context.Context) time.Duration { return time.Second },
		Mint:  h.mint,
		Now:   func() time.Time { return time.Unix(int64(h.message.second), 0) },
	})
	return h
}

// unwound is what the handler panics with at the first call that has no answer yet.
type unwound struct{ call call }

// next runs Handle on the worker's history: either it comes to a new call, or it returns.
func (h *handler) next(w worker) (next call, returned bool, err error) {
	h.answers, h.message, h.old, h.serial, h.minted = w.history, w.message, w.old, w.serial, 0
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case unwound:
			next, returned = reason.call, false
		default:
			panic(reason)
		}
	}()
	return call{}, true, h.strategy.Handle(context.Background(), h)
}

func (h *handler) ask(c call) answer {
	if len(h.answers) == 0 {
		panic(unwound{c})
	}
	a := h.answers[0]
	h.answers = h.answers[1:]
	return a
}

// mint makes a key that no other delivery makes.
func (h *handler) mint() payments.Key {
	h.minted++
	return payments.Key(fmt.Sprintf("minted %d.%d", h.serial, h.minted))
}

// Job is the order's job. Both orders are of the same customer, items, amount and trace.
func (h *handler) Job() payments.ChargeJob {
	id := string(rune('1' + h.message.order))
	return payments.ChargeJob{
		MessageID: "m" + id, OrderID: "o" + id, Account: "ayse", Amount: 42000, Currency: payments.TRY,
		Items: []payments.Item{{SKU: "filter-coffee", Quantity: 1}}, PaymentMethod: "pm_card_visa",
		Traceparent: "00-trace-span-01",
	}
}

func (h *handler) Redelivered() bool { return h.message.redelivered }

func (h *handler) Age() time.Duration {
	if h.old {
		return 25 * time.Hour
	}
	return 0
}

func (h *handler) Ack(context.Context) error { return h.ask(call{verb: ack}).err }

func (h *handler) Charge(_ context.Context, _ payments.ChargeJob, key payments.Key) (payments.Outcome, error) {
	a := h.ask(call{verb: pay, key: key})
	return a.outcome, a.err
}

func (h *handler) Find(context.Context, payments.ChargeJob) (payments.Outcome, bool, error) {
	a := h.ask(call{verb: find})
	return a.outcome, a.yes, a.err
}

func (h *handler) Claim(_ context.Context, key payments.Key, _ time.Duration) (payments.Claim, error) {
	a := h.ask(call{verb: lock, key: key})
	return a.claim, a.err
}

func (h *handler) Apply(_ context.Context, _ payments.ChargeJob, o payments.Outcome) error {
	return h.ask(call{verb: apply, outcome: o}).err
}

func (h *handler) ApplyOnce(_ context.Context, key payments.Key, _ payments.ChargeJob, o payments.Outcome) error {
	return h.ask(call{verb: record, key: key, outcome: o}).err
}

func (h *handler) Complete(_ context.Context, c payments.Claim, _ payments.ChargeJob, o payments.Outcome) error {
	return h.ask(call{verb: record, claim: c, claimed: true, outcome: o}).err
}

// setOf is one of the seen-sets.
type setOf struct {
	*handler
	set where
}

func (s setOf) Seen(_ context.Context, key payments.Key) (bool, error) {
	a := s.ask(call{verb: look, set: s.set, key: key})
	return a.yes, a.err
}

func (s setOf) Mark(_ context.Context, key payments.Key) error {
	return s.ask(call{verb: mark, set: s.set, key: key}).err
}

// hopeless says whether trying again cannot help.
func hopeless(err error) bool {
	return errors.Is(err, payments.ErrHopeless) || errors.Is(err, payments.ErrInvalid)
}
