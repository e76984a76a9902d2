package lab

import (
	"context"
	"slices"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// Run is one experiment with everything that is known of it. It is also the form of the export, and so
// needs nothing beside it to be understood, or replayed.
type Run struct {
	ID    string `json:"id"`
	State string `json:"state"` // running, finished or stopped
	step.RunSpec
	Commit string    `json:"commit"`
	At     time.Time `json:"at"`
	// Verdict is the worst of the orders', and Wrong names the effects that are wrong with any of them.
	Verdict   payments.VerdictName `json:"verdict,omitempty"`
	Wrong     []string             `json:"wrong"`
	OrderIDs  []string             `json:"order_ids"`
	Verdicts  []payments.Verdict   `json:"verdicts"`
	Statement payments.Statement   `json:"statement"`
	Events    []step.Event         `json:"events"`
	Error     string               `json:"error,omitempty"`
}

// The states of a run.
const (
	Running  = "running"
	Finished = "finished"
	Stopped  = "stopped"
)

// NewRun is a run that begins now.
func (l *Lab) NewRun(id string, spec step.RunSpec) Run {
	run := Run{ID: id, State: Running, RunSpec: spec, Commit: l.Version, At: time.Now().UTC()}
	run.Faults = append([]step.Fault{}, spec.Faults...)
	run.Wrong, run.OrderIDs, run.Verdicts, run.Events = []string{}, []string{}, []payments.Verdict{}, []step.Event{}
	run.Statement.Bank.Lines, run.Statement.Ledger.Lines = []payments.BankLine{}, []payments.LedgerLine{}
	return run
}

// Conclude judges the run's orders, and adds statement and trace: all of it, also of a checkout that was
// rolled back.
func (l *Lab) Conclude(ctx context.Context, run *Run, quiet bool) error {
	for _, id := range run.OrderIDs {
		verdict, err := l.judge(ctx, id, quiet)
		if err != nil {
			return err
		}
		run.Verdicts = append(run.Verdicts, verdict)
	}
	run.Verdict, run.Wrong = payments.Worst(run.Verdicts)
	if err := l.addStatement(ctx, run); err != nil {
		return err
	}
	events, err := l.allEvents(ctx, "")
	if err != nil {
		return err
	}
	run.Events = append(run.Events, events...)
	run.State = Finished
	return nil
}

// OwnEvents leaves only the events of the run's orders, and those of none, such as a process's start. It is
// for a run that had not the whole lab to itself.
func (r *Run) OwnEvents() {
	r.Events = slices.DeleteFunc(r.Events, func(e step.Event) bool {
		return e.OrderID != "" && !slices.Contains(r.OrderIDs, e.OrderID)
	})
}

func (l *Lab) addStatement(ctx context.Context, run *Run) error {
	statement, err := l.Statement(ctx, "")
	if err != nil {
		return err
	}
	for _, line := range statement.Bank.Lines {
		if slices.Contains(run.OrderIDs, line.OrderID) {
			run.Statement.Bank.Lines = append(run.Statement.Bank.Lines, line)
		}
	}
	for _, line := range statement.Ledger.Lines {
		if slices.Contains(run.OrderIDs, line.OrderID) {
			run.Statement.Ledger.Lines = append(run.Statement.Ledger.Lines, line)
		}
	}
	return nil
}

// allEvents reads the whole trace, of one order or, for "", of everything.
func (l *Lab) allEvents(ctx context.Context, orderID string) ([]step.Event, error) {
	var all []step.Event
	var last int64
	for {
		events, err := l.Events(ctx, last, orderID)
		if err != nil || len(events) == 0 {
			return all, err
		}
		all = append(all, events...)
		last = events[len(events)-1].ID
	}
}
