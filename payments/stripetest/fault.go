package stripetest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// FaultKind is how a call goes wrong. Before and after mean its execution. A call that is not executed,
// such as a replay, has no inside and no after: hold and error_500_after do nothing to it.
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

// The bounds of a fault. The longest wait is ten minutes.
const (
	maxFaultTimes = 1000
	maxFaultMS    = 600_000
)

// Fault is armed for the next calls that match. The oldest match counts its skip first, then strikes.
type Fault struct {
	Kind FaultKind `json:"kind"`
	// Path is the path of the calls, or empty for all of them.
	Path string `json:"path,omitempty"`
	// Account is whose calls they are, or empty for everybody's.
	Account string `json:"account,omitempty"`
	Times   int    `json:"times"`
	Skip    int    `json:"skip"`
	// DurationMS is how long a delay or a hold lasts, in milliseconds.
	DurationMS int64 `json:"duration_ms"`
}

func (f Fault) check() error {
	kinds := []string{
		string(DropBefore), string(DropAfter), string(Error500Before), string(Error500After),
		string(Delay), string(Hold), string(RateLimited),
	}
	switch {
	case !slices.Contains(kinds, string(f.Kind)):
		return fmt.Errorf("kind: want one of %s", strings.Join(kinds, ", "))
	case f.Path != "" && !strings.HasPrefix(f.Path, "/v1/"):
		return errors.New("path: want a path under /v1/, or none")
	case f.Times < 1 || f.Times > maxFaultTimes:
		return fmt.Errorf("times: want 1 to %d", maxFaultTimes)
	case f.Skip < 0 || f.Skip > maxFaultTimes:
		return fmt.Errorf("skip: want 0 to %d", maxFaultTimes)
	case f.DurationMS < 1 || f.DurationMS > maxFaultMS:
		return fmt.Errorf("duration_ms: want 1 to %d", maxFaultMS)
	}
	return nil
}

func (f Fault) matches(account, path string) bool {
	return (f.Account == "" || f.Account == account) && (f.Path == "" || f.Path == path)
}

// named reports whether a knob turned for an account, or with no name for all, means this fault.
func (f Fault) named(account string) bool { return account == "" || f.Account == account }

// refusal is what a fault answers in the bank's place; nil lets the call through.
func (f Fault) refusal() *apiError {
	switch f.Kind {
	case DropBefore, Error500Before:
		return armedError()
	case RateLimited:
		return newError(http.StatusTooManyRequests, "invalid_request_error", "rate_limit", "Too many requests (armed).")
	default:
		return nil
	}
}

// cuts says whether the connection is cut in place of an answer.
func (f Fault) cuts() bool { return f.Kind == DropBefore || f.Kind == DropAfter }

func (f Fault) duration() time.Duration { return time.Duration(f.DurationMS) * time.Millisecond }

// armedError is the 500 that somebody asked for.
func armedError() *apiError { return internal("An error occurred (armed).") }
