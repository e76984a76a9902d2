package step

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// ErrInjected is what a step returns when the fault "error" strikes it.
var ErrInjected = errors.New("injected error")

// Strike is what a reached step must suffer. The zero value is nothing.
type Strike struct {
	Action Action
	// Duration is how long a hang lasts.
	Duration time.Duration
	// Slow is waited at every step, fault or not.
	Slow time.Duration
	// Wait names the place in the waiting list where this process stands until it is released, in step
	// mode and while it hangs; 0 is none.
	Wait int64
}

// Recorder keeps an event, in a transaction of its own, and consumes the fault that is to strike.
// Await returns when the waiting process is released.
type Recorder interface {
	Record(ctx context.Context, name Name, detail Detail) (Strike, error)
	Await(ctx context.Context, wait int64) error
}

// Probe observes and breaks. Its zero value does nothing.
type Probe struct {
	Recorder Recorder
}

// Reach says that the payment of this context has reached a step, and suffers what is armed there. An
// error is [ErrInjected], or the context's. A recorder that cannot record breaks nothing: the lab
// must not be the reason why a payment fails.
func (p Probe) Reach(ctx context.Context, name Name, detail ...Detail) error {
	strike, err := p.record(ctx, name, detail)
	if err != nil {
		return nil //nolint:nilerr // Observing must never break what it observes.
	}
	if err := pause(ctx, strike.Slow); err != nil {
		return err
	}
	if strike.Wait != 0 && strike.Action != Hang {
		if err := p.stand(ctx, strike.Wait, MaxWait); err != nil {
			return err
		}
	}
	switch strike.Action {
	case Crash:
		return crash()
	case Error:
		return fmt.Errorf("%w at %s", ErrInjected, name)
	case Hang:
		return p.stand(ctx, strike.Wait, min(strike.Duration, MaxWait))
	default:
		return nil
	}
}

// Note keeps an event that cannot be struck, such as one on a wire.
func (p Probe) Note(ctx context.Context, name Name, detail Detail) {
	_, _ = p.record(ctx, name, []Detail{detail}) // As in Reach, observing never breaks.
}

func (p Probe) record(ctx context.Context, name Name, detail []Detail) (Strike, error) {
	if p.Recorder == nil {
		return Strike{}, nil
	}
	var d Detail
	if len(detail) > 0 {
		d = detail[0]
	}
	return p.Recorder.Record(ctx, name, d)
}

// stand stands still until somebody releases this place in the waiting list, for a while at most.
func (p Probe) stand(ctx context.Context, wait int64, atMost time.Duration) error {
	if wait == 0 {
		return pause(ctx, atMost)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, atMost, errLetGo)
	defer cancel()
	err := p.Recorder.Await(ctx, wait)
	if errors.Is(context.Cause(ctx), errLetGo) {
		return nil
	}
	return err
}

var errLetGo = errors.New("waited long enough")

// crash ends this process as nothing in it can prevent or notice. The kernel ignores SIGKILL from
// PID 1 to itself (measured), so PID 1, which is never a child of ours, is left alone.
func crash() error {
	if os.Getpid() == 1 {
		return errors.New("PID 1 cannot crash itself")
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	select {} // The signal is on its way.
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
