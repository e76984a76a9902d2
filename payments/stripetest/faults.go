package stripetest

import (
	"context"
	"slices"
	"sync"
	"time"
)

// faults are what is armed, and who is held. They live in memory: a bank that starts anew is well.
type faults struct {
	mu      sync.Mutex
	armed   []Fault                  // the oldest first
	release map[string]chan struct{} // closed to let the held calls of an account go
	closing <-chan struct{}          // closed when nobody may wait any longer
	close   func()                   // ends all waits, those to come too
}

func newFaults() *faults {
	closing := make(chan struct{})
	return &faults{
		release: map[string]chan struct{}{},
		closing: closing,
		close:   sync.OnceFunc(func() { close(closing) }),
	}
}

// A strike is a fault on its way into one call; without a kind it is none.
type strike struct {
	Fault

	released <-chan struct{} // Taken with the fault, so that no release after it is missed.
}

func (f *faults) arm(fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = append(f.armed, fault)
}

// disarm forgets the faults of an account, or with no name all of them.
func (f *faults) disarm(account string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = slices.DeleteFunc(f.armed, func(each Fault) bool { return each.named(account) })
}

// list shows what is armed for an account, or with no name everything.
func (f *faults) list(account string) []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := []Fault{}
	for _, each := range f.armed {
		if each.named(account) {
			found = append(found, each)
		}
	}
	return found
}

// strike takes the fault that strikes a call.
func (f *faults) strike(account, path string) strike {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.armed, func(each Fault) bool { return each.matches(account, path) })
	if i < 0 {
		return strike{}
	}
	oldest := &f.armed[i]
	if oldest.Skip > 0 {
		oldest.Skip--
		return strike{}
	}
	struck := strike{Fault: *oldest}
	if struck.Kind == Hold {
		struck.released = f.releaseOf(account)
	}
	if oldest.Times--; oldest.Times == 0 {
		f.armed = slices.Delete(f.armed, i, i+1)
	}
	return struck
}

// releaseOf is closed at the account's next release. The caller holds the lock.
func (f *faults) releaseOf(account string) <-chan struct{} {
	if f.release[account] == nil {
		f.release[account] = make(chan struct{})
	}
	return f.release[account]
}

// letGo releases the held calls of an account, or with no name all of them.
func (f *faults) letGo(account string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, held := range f.release {
		if account == "" || account == name {
			close(held)
			delete(f.release, name)
		}
	}
}

// wait ends when the time is over, the account is released, the caller is gone or the server closes.
func (f *faults) wait(ctx context.Context, struck strike) {
	timer := time.NewTimer(struck.duration())
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-struck.released: // Of a delay it is nil: only holds are released.
	case <-ctx.Done():
	case <-f.closing:
	}
}
