package lab

import (
	"context"
	"time"

	"example.com/doublecharge/payments/postgres"
)

// readingGap is the time between two readings that must agree. It is longer than any hand-over
// between database, broker and worker takes.
const readingGap = 100 * time.Millisecond

// Wait returns true when nothing is on its way any more, and false when the context ends before. An
// armed fault does not count.
func (l *Lab) Wait(ctx context.Context) (bool, error) {
	tick := time.NewTicker(readingGap)
	defer tick.Stop()
	var last reading
	for {
		now, err := l.read(ctx)
		if ctx.Err() != nil {
			return false, nil
		}
		if err != nil { // A server that restarts is not quiet; it comes back.
			l.Log.DebugContext(ctx, "not to be seen whether it is quiet", "error", err)
		}
		if now.agrees(last) {
			return true, nil
		}
		last = now
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false, nil
		}
	}
}

// quietNow takes two readings at most, however long they take.
func (l *Lab) quietNow(ctx context.Context) (bool, error) {
	first, err := l.read(ctx)
	if err != nil || !first.idle {
		return false, err
	}
	gap := time.NewTimer(readingGap)
	defer gap.Stop()
	select {
	case <-gap.C:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	second, err := l.read(ctx)
	return second.agrees(first), err
}

// reading is one look at everything that can still be on its way.
type reading struct {
	idle    bool
	lastRow int64
}

// agrees says whether two readings were idle and nothing happened between them.
func (r reading) agrees(other reading) bool {
	return r.idle && other.idle && r.lastRow == other.lastRow
}

// read looks at the queues between two looks at the database: what moves meanwhile from one to the
// other is seen in one of them.
func (l *Lab) read(ctx context.Context) (reading, error) {
	before, err := l.Store.Activity(ctx)
	if err != nil || !before.Idle() {
		return reading{}, err
	}
	counts, err := l.counts(ctx)
	if err != nil {
		return reading{}, err
	}
	for _, count := range counts {
		if count.Ready > 0 {
			return reading{}, nil
		}
	}
	after, err := l.Store.Activity(ctx)
	if err != nil {
		return reading{}, err
	}
	return reading{idle: stillIdle(before, after), lastRow: after.LastRow}, nil
}

func stillIdle(before, after postgres.Activity) bool {
	return after.Idle() && before.LastRow == after.LastRow
}
