package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// maxOrders is how many orders one run may buy.
const maxOrders = 10

// StartRun asks for an experiment in a lane of its own, and gives the run as it begins.
func (l *Lab) StartRun(ctx context.Context, spec step.RunSpec) (json.RawMessage, error) {
	spec, err := l.CheckRun(spec)
	if err != nil {
		return nil, err
	}
	id := newID()
	return l.addJob(ctx, id, step.RunJob, spec, l.NewRun(id, spec))
}

// CheckRun completes what a run's spec leaves out, and names what in it can never work.
func (l *Lab) CheckRun(spec step.RunSpec) (step.RunSpec, error) {
	if err := checkRun(spec); err != nil {
		return spec, err
	}
	var err error
	spec.Faults, err = l.armable(spec.Faults)
	return spec, err
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func checkRun(spec step.RunSpec) error {
	for _, err := range []*payments.FieldError{
		oneOf("strategy", &spec.Strategy, strategy.IDs()),
		between("orders", &spec.Orders, 1, maxOrders),
	} {
		if err != nil {
			return err
		}
	}
	if err := checkChange(spec.Settings); err != nil {
		return in("settings", err)
	}
	for i, reaction := range spec.Then {
		if err := checkReaction(reaction); err != nil {
			return in(fmt.Sprintf("then[%d]", i), err)
		}
	}
	return nil
}

// in names the place of an error's field in the whole request.
func in(parent string, err error) error {
	if field, ok := errors.AsType[*payments.FieldError](err); ok {
		return field.Within(parent)
	}
	return err
}

func checkReaction(r step.Reaction) error {
	on, do := string(r.On), string(r.Do)
	for _, err := range []*payments.FieldError{
		oneOf("on", &on, texts([]step.Name{step.OnQuiet, step.StepWaiting})),
		oneOf("do", &do, texts([]step.Name{step.DoClock, step.DoRedeliver, step.DoStep, step.DoRedisFlush})),
		between("with.times", &r.With.Times, 0, 100),
		between("with.waiting", &r.With.Waiting, 0, maxWorkers),
	} {
		if err != nil {
			return err
		}
	}
	if r.Do != step.DoClock {
		return nil
	}
	if d, err := time.ParseDuration(r.With.Advance); err != nil || d <= 0 {
		return payments.InvalidField("with.advance", "must be a duration over 0, such as 25h")
	}
	return nil
}

// work is a matrix or an exploration as it begins. Its results come beside these.
type work struct {
	ID     string    `json:"id"`
	State  string    `json:"state"`
	Done   int       `json:"done"`
	Total  int       `json:"total"`
	Commit string    `json:"commit"`
	At     time.Time `json:"at"`
}

// StartMatrix asks for a matrix. Its cells are checked by whoever plans them.
func (l *Lab) StartMatrix(ctx context.Context, spec step.MatrixSpec) (json.RawMessage, error) {
	if l.Plan == nil {
		return nil, fmt.Errorf("%w: this lab has no lanes", payments.ErrConflict)
	}
	total, err := l.Plan(spec)
	if err != nil {
		return nil, err
	}
	return l.startWork(ctx, step.MatrixJob, spec, total)
}

// StartExplore asks for a search.
func (l *Lab) StartExplore(ctx context.Context, spec step.ExploreSpec) (json.RawMessage, error) {
	for i := range spec.Strategies {
		if err := oneOf(fmt.Sprintf("strategy[%d]", i), &spec.Strategies[i], strategy.IDs()); err != nil {
			return nil, err
		}
	}
	for _, err := range []*payments.FieldError{
		between("crashes", &spec.Crashes, 0, 3),
		between("deliveries", &spec.Deliveries, 1, 4),
		between("workers", &spec.Workers, 1, 2),
	} {
		if err != nil {
			return nil, err
		}
	}
	total := len(spec.Strategies)
	if total == 0 {
		total = len(strategy.IDs())
	}
	return l.startWork(ctx, step.ExploreJob, spec, total)
}

func (l *Lab) startWork(ctx context.Context, kind step.JobKind, spec any, total int) (json.RawMessage, error) {
	w := work{ID: newID(), State: Running, Total: total, Commit: l.Version, At: time.Now().UTC()}
	return l.addJob(ctx, w.ID, kind, spec, w)
}

func (l *Lab) addJob(ctx context.Context, id string, kind step.JobKind, spec, document any) (json.RawMessage, error) {
	job := step.Job{ID: id, Kind: kind}
	var err error
	if job.Spec, err = encode(spec); err != nil {
		return nil, err
	}
	if job.Document, err = encode(document); err != nil {
		return nil, err
	}
	return job.Document, l.Store.AddJob(ctx, job)
}
