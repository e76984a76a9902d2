// Package strategytest is a small world in memory in which strategies can be tried: a bank that honours
// keys and can decline, lose its answer, forget and be down, a seen-set and a ledger that share their
// marks, and a crash after any of their calls.
//
//	world := strategytest.NewWorld()
//	for _, named := range strategy.All(world.Tools()) { … }
package strategytest

import (
	"context"
	"sync"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/strategy"
)

// Call is a call of a strategy to the world, after which the process can be made to die.
type Call string

// The calls that change something.
const (
	Charge    Call = "charge"
	Apply     Call = "apply"
	Mark      Call = "mark"
	ApplyOnce Call = "apply once"
)

// Crash is what the world panics with: the process dies there, and nothing of it runs any more.
type Crash struct{ After Call }

// World is what strategies act on.
type World struct {
	// Bank is the third party.
	Bank Bank

	mu      sync.Mutex
	crash   Call
	marks   map[payments.Key]bool
	effects map[string]Effects
}

// Effects are what our own books have of one message.
type Effects struct {
	Status   payments.OrderStatus
	Points   int64
	Receipts int
	ChargeID string
}

// NewWorld makes a world in which nothing has happened yet.
func NewWorld() *World {
	w := &World{marks: map[payments.Key]bool{}, effects: map[string]Effects{}}
	w.Bank.world = w
	return w
}

// Tools are the world as strategies see it.
func (w *World) Tools() strategy.Tools {
	return strategy.Tools{Bank: &w.Bank, Seen: seenSet{w}, Ledger: ledger{w}}
}

// CrashAfter lets the process die after the next call of that kind.
func (w *World) CrashAfter(c Call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.crash = c
}

// Effects shows our own books of one message.
func (w *World) Effects(messageID string) Effects {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.effects[messageID]
}

// did dies, if it is time to.
func (w *World) did(c Call) {
	w.mu.Lock()
	dies := w.crash == c
	if dies {
		w.crash = ""
	}
	w.mu.Unlock()
	if dies {
		panic(Crash{c})
	}
}

func (w *World) mark(key payments.Key) error {
	if w.marks[key] {
		return payments.ErrAlreadyDone
	}
	w.marks[key] = true
	return nil
}

// apply does what the real ledger does: the status once, the points always, one receipt, the first
// charge id.
func (w *World) apply(job payments.ChargeJob, outcome payments.Outcome) {
	e := w.effects[job.MessageID]
	defer func() { w.effects[job.MessageID] = e }()
	if !outcome.Charged() {
		if e.Status == "" {
			e.Status = payments.OrderFailed
		}
		return
	}
	e.Status, e.Receipts = payments.OrderPaid, 1
	e.Points += job.Total().MajorUnits()
	if e.ChargeID == "" {
		e.ChargeID = outcome.ChargeID
	}
}

type seenSet struct{ w *World }

func (s seenSet) Seen(_ context.Context, key payments.Key) (bool, error) {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	return s.w.marks[key], nil
}

func (s seenSet) Mark(_ context.Context, key payments.Key) error {
	s.w.mu.Lock()
	err := s.w.mark(key)
	s.w.mu.Unlock()
	s.w.did(Mark)
	return err
}

type ledger struct{ w *World }

func (l ledger) Apply(_ context.Context, job payments.ChargeJob, outcome payments.Outcome) error {
	l.w.mu.Lock()
	l.w.apply(job, outcome)
	l.w.mu.Unlock()
	l.w.did(Apply)
	return nil
}

func (l ledger) ApplyOnce(
	_ context.Context, key payments.Key, job payments.ChargeJob, outcome payments.Outcome,
) error {
	l.w.mu.Lock()
	err := l.w.mark(key)
	if err == nil {
		l.w.apply(job, outcome)
	}
	l.w.mu.Unlock()
	l.w.did(ApplyOnce)
	return err
}
