package lane

import (
	"context"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// react waits for what the reaction waits for, and does it.
func (l *Lane) react(ctx context.Context, r step.Reaction, orders []string) error {
	ctx, cancel := context.WithTimeout(ctx, quietWait)
	defer cancel()
	if err := l.awaitEvent(ctx, r); err != nil {
		return err
	}
	switch r.Do {
	case step.DoClock:
		d, err := time.ParseDuration(r.With.Advance)
		if err != nil {
			return payments.InvalidField("with.advance", "must be a duration, such as 25h")
		}
		_, err = l.Lab.Advance(ctx, d)
		return err
	case step.DoRedeliver:
		return l.Lab.Redeliver(ctx, orders[0], "", max(1, r.With.Times))
	case step.DoStep:
		return l.releaseAll(ctx, r.With.Second)
	case step.DoRedisFlush:
		_, err := l.Lab.Arm(ctx, step.Fault{Point: step.RedisFlush, Times: 1, DurationMS: 1})
		return err
	default:
		return payments.InvalidField("do", "must be one of clock, redeliver, step, redis.flush")
	}
}

func (l *Lane) awaitEvent(ctx context.Context, r step.Reaction) error {
	switch r.On {
	case step.OnQuiet:
		quiet, err := l.Lab.Wait(ctx)
		if err == nil && !quiet {
			return errNotYet
		}
		return err
	case step.StepWaiting:
		return l.awaitWaiting(ctx, max(1, r.With.Waiting))
	default:
		return payments.InvalidField("on", "must be quiet or step.waiting")
	}
}

// awaitWaiting waits until so many processes stand still at a step.
func (l *Lane) awaitWaiting(ctx context.Context, n int) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		waiting, err := l.Lab.Store.Waiting(ctx)
		if err == nil && len(waiting) >= n {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errNotYet
		}
	}
}

// releaseAll lets everybody go who stands still now, if asked at the beginning of a second, which they
// then share.
func (l *Lane) releaseAll(ctx context.Context, atSecond bool) error {
	if atSecond {
		if err := awaitSecond(ctx); err != nil {
			return err
		}
	}
	waiting, err := l.Lab.Store.Waiting(ctx)
	if err != nil {
		return err
	}
	for _, process := range waiting {
		if _, err := l.Lab.Store.Release(ctx, process.Instance); err != nil {
			return err
		}
	}
	return nil
}

func awaitSecond(ctx context.Context) error {
	timer := time.NewTimer(time.Until(time.Now().Truncate(time.Second).Add(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
