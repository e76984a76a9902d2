package outbox_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments/step"
)

// limit bounds every wait of these tests. None comes near it unless something is wrong.
const limit = 30 * time.Second

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(served{m},
		goleak.IgnoreTopFunction("example.com/doublecharge/lab/stack.WatchParent.func1")) // It ends with the process.
}

// served runs the tests with servers around them.
type served struct{ m *testing.M }

func (s served) Run() int { return stacktest.Main(s.m) }

func receive[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(limit):
		t.Fatalf("never: %s", what)
		panic("unreachable")
	}
}

func eventually(t *testing.T, what string, yes func(context.Context) (bool, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := yes(ctx)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if ok {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		}
	}
}

// strikeOnce is a recorder that breaks one step the first time it is reached.
type strikeOnce struct {
	at     step.Name
	struck chan struct{} // closed when it struck
}

func newStrikeOnce(at step.Name) *strikeOnce { return &strikeOnce{at, make(chan struct{})} }

func (s *strikeOnce) Record(_ context.Context, name step.Name, _ step.Detail, _ ...step.Name) (step.Strike, error) {
	if name != s.at {
		return step.Strike{}, nil
	}
	select {
	case <-s.struck:
		return step.Strike{}, nil
	default:
		close(s.struck)
		return step.Strike{Action: step.Error}, nil
	}
}

func (s *strikeOnce) Await(context.Context, int64) error { return nil }
