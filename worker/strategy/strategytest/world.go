// Package strategytest is a small world in memory in which strategies can be tried: a bank that honours
// keys and can decline, lose its answer, forget and be down, seen-sets, claims and a ledger that share
// their marks, and a crash after any of their calls.
//
//	world := strategytest.NewWorld()
//	for _, named := range strategy.All(world.Tools()) { … }
package strategytest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/seenset"
	"example.com/doublecharge/worker/strategy"
)

// Call is a call of a strategy to the world, after which the process can be made to die.
type Call string

// The calls that change something.
const (
	Charge    Call = "charge"
	Claim     Call = "claim"
	Apply     Call = "apply"
	Mark      Call = "mark"
	ApplyOnce Call = "apply once"
	Complete  Call = "complete"
)

// Crash is what the world panics with: the process dies there, and nothing of it runs any more.
type Crash struct{ After Call }

// World is what strategies act on.
type World struct {
	// Bank is the third party.
	Bank Bank
	// Redis forgets when it is flushed.
	Redis *seenset.Memory

	mu      sync.Mutex
	crash   Call
	marks   map[payments.Key]bool
	rows    map[payments.Key]int // of the table without a constraint
	claims  map[payments.Key]*claim
	effects map[string]Effects
	minted  int
	second  int64
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
	w := &World{
		Redis: seenset.NewMemory(), marks: map[payments.Key]bool{}, rows: map[payments.Key]int{},
		claims: map[payments.Key]*claim{}, effects: map[string]Effects{},
	}
	w.Bank.world = w
	return w
}

// Tools are the world as strategies see it.
func (w *World) Tools() strategy.Tools {
	redis := redisSet{w}
	return strategy.Tools{
		Bank: &w.Bank, Ledger: ledger{w}, Claims: claims{w},
		Seen: seenSet{w}, Unguarded: unguarded{w}, Redis: redis,
		Hybrid: seenset.Hybrid{Cache: w.Redis, Truth: seenSet{w}},
		Lease:  func(context.Context) time.Duration { return time.Second },
		Mint:   w.mint,
		Now:    w.now,
	}
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

// LaterBy lets seconds go by.
func (w *World) LaterBy(seconds int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.second += seconds
}

func (w *World) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Unix(w.second, 0)
}

func (w *World) mint() payments.Key {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.minted++
	return payments.Key(fmt.Sprintf("minted-%d", w.minted))
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
