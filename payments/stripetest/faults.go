package stripetest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// FaultKind is how a call goes wrong. Before and after mean its execution.
type FaultKind string

// The kinds of faults.
const (
	DropBefore     FaultKind = "drop_before"      // the connection is cut, nothing has happened
	DropAfter      FaultKind = "drop_after"       // the connection is cut, and it has happened
	Error500Before FaultKind = "error_500_before" // a 500 that no key remembers
	Error500After  FaultKind = "error_500_after"  // executed, and the 500 is what the key remembers
	Delay          FaultKind = "delay"            // waits before it is looked at
	Hold           FaultKind = "hold"             // waits inside its execution, with its key claimed
	RateLimited    FaultKind = "rate_limited"     // a 429 that no key remembers
)

// FaultKinds lists them.
func FaultKinds() []FaultKind {
	return []FaultKind{DropBefore, DropAfter, Error500Before, Error500After, Delay, Hold, RateLimited}
}

// Fault is armed for the next calls that match. The oldest match counts its skip first, then strikes.
type Fault struct {
	Kind FaultKind `json:"kind"`
	// Path is the path of the calls, or empty for all of them.
	Path    string `json:"path,omitempty"`
	Account string `json:"account,omitempty"`
	Times   int    `json:"times"`
	Skip    int    `json:"skip"`
	// DurationMS is how long a delay or a hold lasts, in milliseconds.
	DurationMS int64 `json:"duration_ms"`
}

// maxFaultMS is ten minutes.
const maxFaultMS = 600_000

func (f Fault) check() error {
	var kinds []string
	for _, kind := range FaultKinds() {
		kinds = append(kinds, string(kind))
	}
	switch {
	case !slices.Contains(kinds, string(f.Kind)):
		return fmt.Errorf("kind: want one of %s", strings.Join(kinds, ", "))
	case f.Path != "" && !strings.HasPrefix(f.Path, "/v1/"):
		return errors.New("path: want a path under /v1/, or none")
	case f.Times < 1 || f.Times > 1000:
		return errors.New("times: want 1 to 1000")
	case f.Skip < 0 || f.Skip > 1000:
		return errors.New("skip: want 0 to 1000")
	case f.DurationMS < 1 || f.DurationMS > maxFaultMS:
		return fmt.Errorf("duration_ms: want 1 to %d", maxFaultMS)
	}
	return nil
}

// faults are what is armed, and who is held. They live in memory: a bank that starts anew is well.
type faults struct {
	mu      sync.Mutex
	armed   []Fault
	release map[string]chan struct{} // closed to let the held calls of an account go
}

// arm adds a fault.
func (f *faults) arm(fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = append(f.armed, fault)
}

// disarm forgets the faults of an account, or with no name all of them.
func (f *faults) disarm(account string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = slices.DeleteFunc(f.armed, func(each Fault) bool { return account == "" || each.Account == account })
}

// list shows what is armed.
func (f *faults) list() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Fault{}, f.armed...)
}

// strike consumes the fault that strikes a call; one without a kind is none.
func (f *faults) strike(account, path string) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.armed {
		fault := &f.armed[i]
		if (fault.Account != "" && fault.Account != account) || (fault.Path != "" && fault.Path != path) {
			continue
		}
		if fault.Skip > 0 {
			fault.Skip--
			return Fault{}
		}
		struck := *fault
		if fault.Times--; fault.Times == 0 {
			f.armed = slices.Delete(f.armed, i, i+1)
		}
		return struck
	}
	return Fault{}
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

// hold waits until the time is over, the account is released, or the caller is gone.
func (f *faults) hold(ctx context.Context, account string, d time.Duration) {
	f.mu.Lock()
	if f.release == nil {
		f.release = map[string]chan struct{}{}
	}
	held, waiting := f.release[account]
	if !waiting {
		held = make(chan struct{})
		f.release[account] = held
	}
	f.mu.Unlock()
	pause(ctx, d, held)
}

// pause waits for the first of the three.
func pause(ctx context.Context, d time.Duration, released <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-released:
	case <-ctx.Done():
	}
}

// refusal is what a fault answers in the bank's place; nil lets the call through.
func (f Fault) refusal() *apiError {
	switch f.Kind {
	case DropBefore, Error500Before:
		return internal("An error occurred (armed).")
	case RateLimited:
		return newError(http.StatusTooManyRequests, "invalid_request_error", "rate_limit", "Too many requests (armed).")
	default:
		return nil
	}
}

func (f Fault) wait() time.Duration { return time.Duration(f.DurationMS) * time.Millisecond }

// cuts says whether the connection is cut in place of an answer.
func (f Fault) cuts() bool { return f.Kind == DropBefore || f.Kind == DropAfter }
