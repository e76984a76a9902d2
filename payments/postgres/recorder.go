package postgres

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"example.com/doublecharge/payments/step"
)

//go:embed record.sql
var recordSQL string

// Recorder keeps the trace of one process and consumes the faults that are to strike it. Its store
// has a small pool of its own, so it never waits for the transaction around a step.
type Recorder struct {
	store   *Store
	process step.Process
}

// NewRecorder makes the recorder of one process.
func NewRecorder(s *Store, p step.Process) *Recorder { return &Recorder{s, p} }

// Record runs one autocommit statement: it consumes the oldest fault that matches and inserts the
// event. What the fault does happens only after that commit.
func (r *Recorder) Record(
	ctx context.Context, name step.Name, detail step.Detail, points ...step.Name,
) (step.Strike, error) {
	about := step.SubjectOf(ctx)
	worker := 0
	if r.process.Role == "worker" {
		worker = r.process.Number
	}
	var strike step.Strike
	var hangMS, slowMS int64
	// A caller that gave up, such as a client that hung up, still leaves its trace.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := r.store.pool.QueryRow(ctx, recordSQL, name, isStep(name, points), about.OrderID,
		about.MessageID, about.Delivery, about.Account, r.process.Instance, worker, detail, points).
		Scan(&strike.Point, &strike.Action, &hangMS, &slowMS, &strike.Wait)
	strike.Duration = time.Duration(hangMS) * time.Millisecond
	strike.Slow = time.Duration(slowMS) * time.Millisecond
	return strike, translate(err)
}

// isStep says whether a process stands at a step, where the lab may make it wait.
func isStep(name step.Name, points []step.Name) bool {
	return slices.Contains(points, name) && slices.Contains(step.Names(), name)
}

// awaitSQL says whether a process may go on. Those that gather at a hold see it by the fault, whose times
// go down when the last one comes: a statement could not see a waiter that committed a moment ago.
// Without a fault it is the step mode that makes it wait, and the setting is asked for the same reason.
const awaitSQL = `SELECT w.released OR (w.fault > 0 AND coalesce(f.times < w.round, true))
	OR (w.fault = 0 AND NOT coalesce((SELECT value::boolean FROM lab_settings WHERE name = 'step'), false))
	FROM lab_waits w LEFT JOIN lab_faults f ON f.id = w.fault WHERE w.id = $1`

// Await polls until the waiting process is released or the context ends.
func (r *Recorder) Await(ctx context.Context, wait int64) error {
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for {
		var released bool
		err := r.store.pool.QueryRow(ctx, awaitSQL, wait).Scan(&released)
		if err != nil || released { // A row that is gone was wiped by a reset, which releases too.
			return r.leave(ctx, wait)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return r.leave(ctx, wait)
		}
	}
}

// leave takes the process off the waiting list.
func (r *Recorder) leave(ctx context.Context, wait int64) error {
	cleanup, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, err := r.store.pool.Exec(cleanup, `DELETE FROM lab_waits WHERE id = $1`, wait)
	if err == nil {
		_, err = r.Record(ctx, step.StepReleased, step.Detail{})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return translate(err)
}
