package strategytest

import (
	"context"
	"fmt"
	"sync"

	"example.com/doublecharge/payments"
)

// Bank charges every call that it does not know by its key.
type Bank struct {
	world *World

	mu      sync.Mutex
	calls   []BankCall
	lines   []line
	answers map[payments.Key]payments.Outcome
	trouble Trouble
}

// BankCall is one call that reached the bank.
type BankCall struct {
	What string // charge or find
	Key  payments.Key
}

type line struct {
	messageID string
	outcome   payments.Outcome
}

// Trouble is what is wrong with the bank.
type Trouble struct {
	Declines bool // every card
	Down     bool // no call reaches it
	NoFind   bool // it charges, but cannot be asked what it charged
	LoseNext bool // it does what the next charge asks, and the answer is lost
}

// Have puts the bank into trouble, or out of it.
func (b *Bank) Have(t Trouble) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trouble = t
}

// Forget makes the bank forget all keys, as it may after a day. The charges stay.
func (b *Bank) Forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers = nil
}

// Charges counts how often a message's card was charged.
func (b *Bank) Charges(messageID string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, l := range b.lines {
		if l.messageID == messageID && l.outcome.Charged() {
			n++
		}
	}
	return n
}

// Calls lists the calls that reached the bank.
func (b *Bank) Calls() []BankCall {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]BankCall(nil), b.calls...)
}

// Charge charges, or replays the answer that it gave under the same key.
func (b *Bank) Charge(_ context.Context, job payments.ChargeJob, key payments.Key) (payments.Outcome, error) {
	outcome, err := b.charge(job, key)
	b.world.did(Charge)
	return outcome, err
}

func (b *Bank) charge(job payments.ChargeJob, key payments.Key) (payments.Outcome, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.trouble.Down {
		return payments.Outcome{}, fmt.Errorf("%w: the bank is down", payments.ErrUnknown)
	}
	b.calls = append(b.calls, BankCall{"charge", key})
	outcome, known := b.answers[key]
	if !known {
		outcome = b.execute(job, key)
	}
	if b.trouble.LoseNext {
		b.trouble.LoseNext = false
		return payments.Outcome{}, fmt.Errorf("%w: the answer was lost", payments.ErrUnknown)
	}
	return outcome, nil
}

func (b *Bank) execute(job payments.ChargeJob, key payments.Key) payments.Outcome {
	outcome := payments.Outcome{ChargeID: fmt.Sprintf("ch_%d", len(b.lines)+1)}
	if b.trouble.Declines {
		outcome.Declined = "card_declined"
	}
	b.lines = append(b.lines, line{job.MessageID, outcome})
	if key != payments.NoKey {
		if b.answers == nil {
			b.answers = map[payments.Key]payments.Outcome{}
		}
		b.answers[key] = outcome
	}
	return outcome
}

// Find looks for a charge by our own id.
func (b *Bank) Find(_ context.Context, job payments.ChargeJob) (payments.Outcome, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.trouble.Down || b.trouble.NoFind {
		return payments.Outcome{}, false, fmt.Errorf("%w: the bank cannot be asked", payments.ErrUnavailable)
	}
	b.calls = append(b.calls, BankCall{What: "find"})
	for _, l := range b.lines {
		if l.messageID == job.MessageID {
			return l.outcome, true, nil
		}
	}
	return payments.Outcome{}, false, nil
}
