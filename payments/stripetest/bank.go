package stripetest

import (
	"maps"
	"slices"
	"time"
)

// A Bank is the state of all accounts and the rules that change it. It has no clock and no chance
// of its own and must not be used by two goroutines at once: the same calls, times and ids give the
// same answers, which is what lets every schedule of a payment be explored in memory.
type Bank struct {
	newID    func(prefix string) string
	accounts map[string]*account
	offset   time.Duration // Of the accounts that are yet to be seen.
	sequence int64         // Of the last call in any journal.
}

// NewBank returns an empty bank that names its objects with newID, as in newID("pi") = "pi_1".
func NewBank(newID func(prefix string) string) *Bank {
	return &Bank{newID: newID, accounts: map[string]*account{}}
}

// An account is everything one API key can see.
type account struct {
	offset  time.Duration
	intents collection[*PaymentIntent]
	charges collection[*Charge]
	keys    keyring
	journal journal
}

// account opens an account at its first mention.
func (b *Bank) account(name string) *account {
	a, exists := b.accounts[name]
	if !exists {
		a = &account{offset: b.offset}
		b.accounts[name] = a
	}
	return a
}

// time is the account's own clock. Dropping the monotonic reading makes a time the same before and
// after it was written to the log.
func (a *account) time(at time.Time) time.Time {
	return at.Add(a.offset).UTC().Round(0)
}

// An entry is one change of the bank and one line of its log: a call with all it did and answered,
// or a turn of a knob.
type entry struct {
	Account string         `json:"account,omitempty"`
	Request *Request       `json:"request,omitempty"`
	Kept    *keptAnswer    `json:"kept,omitempty"`
	Intent  *PaymentIntent `json:"payment_intent,omitempty"`
	Charge  *Charge        `json:"charge,omitempty"`
	Advance time.Duration  `json:"advance,omitempty"`
	Reset   bool           `json:"reset,omitempty"`
}

// apply is the only place where a bank changes, for a fresh entry as for one read from the log.
func (b *Bank) apply(e entry) {
	if e.Reset {
		b.reset(e.Account)
		return
	}
	b.advance(e.Account, e.Advance)
	if e.Account == "" {
		return
	}
	a := b.account(e.Account)
	if e.Intent != nil {
		a.intents.put(e.Intent.ID, e.Intent)
	}
	if e.Charge != nil {
		a.charges.put(e.Charge.ID, e.Charge)
	}
	if e.Kept != nil {
		a.keys.keep(e.Kept)
	}
	if e.Request != nil {
		b.sequence++
		a.journal.add(*e.Request, b.sequence)
	}
}

// advance moves one account's clock, or with no name that of every account, present and future.
func (b *Bank) advance(name string, d time.Duration) {
	if name != "" {
		b.account(name).offset += d
		return
	}
	b.offset += d
	for _, a := range b.accounts {
		a.offset += d
	}
}

// reset forgets one account, or with no name all of them. A call in flight keeps the old account and
// finds out when it comes to be executed.
func (b *Bank) reset(name string) {
	if name == "" {
		b.accounts, b.offset = map[string]*account{}, 0
		return
	}
	b.accounts[name] = &account{}
}

// Charges returns the charges of one account, or with no name of all, paid and failed, oldest first.
func (b *Bank) Charges(name string) []Charge {
	charges := []Charge{}
	for _, a := range b.named(name) {
		for _, charge := range a.charges.items {
			charges = append(charges, *charge)
		}
	}
	return charges
}

// Requests returns the journal of one account, or with no name of all, oldest first.
func (b *Bank) Requests(name string) []Request {
	requests := []Request{}
	for _, a := range b.named(name) {
		requests = append(requests, a.journal.requests...)
	}
	slices.SortFunc(requests, func(x, y Request) int { return int(x.sequence - y.sequence) })
	return requests
}

func (b *Bank) named(name string) []*account {
	var found []*account
	for _, each := range slices.Sorted(maps.Keys(b.accounts)) {
		if name == "" || name == each {
			found = append(found, b.accounts[each])
		}
	}
	return found
}

func (b *Bank) offsetOf(name string) time.Duration {
	if a, exists := b.accounts[name]; exists {
		return a.offset
	}
	return b.offset
}

// farthest is the offset of the clock that is ahead of all others.
func (b *Bank) farthest() time.Duration {
	farthest := b.offset
	for _, a := range b.accounts {
		farthest = max(farthest, a.offset)
	}
	return farthest
}

// holdsOnly reports whether nothing is left once the account is forgotten.
func (b *Bank) holdsOnly(name string) bool {
	_, held := b.accounts[name]
	return name == "" || b.offset == 0 && (len(b.accounts) == 0 || held && len(b.accounts) == 1)
}
