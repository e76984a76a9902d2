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
	// Point is where the fault was armed.
	Point  Name
	Action Action
	// Duration is how long a hang or a hold lasts.
	Duration time.Duration
	// Slow is waited at every step, fault or not.
	Slow time.Duration
	// Wait names the place in the waiting list where this process stands until it is released, in step
	// mode and while it hangs; 0 is none.
	Wait int64
}

// Recorder keeps an event, in a transaction of its own, and consumes the fault that is to strike: the
// oldest that matches at one of the points. An event without points can be struck by none.
// Await returns when the waiting process is released.
type Recorder interface {
	Record(ctx context.Context, name Name, detail Detail, points ...Name) (Strike, error)
	Await(ctx context.Context, wait int64) error
}

// Probe observes and breaks. Its zero value does nothing.
type Probe struct {
	Recorder Recorder
	// Disconnect breaks this process's connection to the broker. Nil where there is none.
	Disconnect func()
}

// Reach says that the payment of this context has reached a step, and suffers what is armed there. An
// error is [ErrInjected], or the context's. A recorder that cannot record breaks nothing: the lab
// must not be the reason why a payment fails.
func (p Probe) Reach(ctx context.Context, name Name, detail ...Detail) error {
	if p.Recorder == nil {
		return nil
	}
	var d Detail
	if len(detail) > 0 {
		d = detail[0]
	}
	strike, err := p.Recorder.Record(ctx, name, d, name)
	if err != nil {
		return nil //nolint:nilerr // Observing must never break what it observes.
	}
	if err := pause(ctx, strike.Slow); err != nil {
		return err
	}
	if strike.Wait != 0 && strike.Action != Hang && strike.Action != Hold {
		if err := p.stand(ctx, strike.Wait, MaxWait); err != nil {
			return err
		}
	}
	return p.suffer(ctx, name, strike)
}

func (p Probe) suffer(ctx context.Context, name Name, strike Strike) error {
	switch strike.Action {
	case Crash:
		return crash()
	case Error:
		return fmt.Errorf("%w at %s", ErrInjected, name)
	case Hang:
		return p.stand(ctx, strike.Wait, min(strike.Duration, MaxWait))
	case Hold:
		if strike.Wait == 0 { // The last to arrive.
			return nil
		}
		return p.stand(ctx, strike.Wait, min(strike.Duration, MaxWait))
	case Disconnect:
		if p.Disconnect != nil {
			p.Disconnect()
		}
		return nil
	default:
		return nil
	}
}

// Note keeps an event that cannot be struck, such as an answer on a wire.
func (p Probe) Note(ctx context.Context, name Name, detail Detail) {
	_ = p.Strike(ctx, name, detail)
}

// Strike keeps an event and gives what is to strike at these points, for the caller to carry out.
func (p Probe) Strike(ctx context.Context, name Name, detail Detail, points ...Name) Strike {
	if p.Recorder == nil {
		return Strike{}
	}
	strike, err := p.Recorder.Record(ctx, name, detail, points...)
	if err != nil { // As in Reach, observing never breaks.
		return Strike{}
	}
	return strike
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
