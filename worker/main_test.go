package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker"
	"example.com/doublecharge/worker/strategy"
	"example.com/doublecharge/worker/strategy/strategytest"
)

// limit bounds every wait of these tests. None comes near it unless something is wrong.
const limit = 30 * time.Second

func TestMain(m *testing.M) { os.Exit(stacktest.Main(m)) }

// Ids of the one job of these tests, which is worth 420 points.
const (
	messageID = "0197a1c2-0000-7000-8000-000000000001"
	orderID   = "0197a1c2-0000-7000-8000-000000000002"
)

var made = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func someJob(strategyID string) payments.ChargeJob {
	return payments.ChargeJob{
		MessageID: messageID, OrderID: orderID, Account: "ayse", Amount: 42000, Currency: payments.TRY,
		PaymentMethod: "pm_card_visa", Strategy: strategyID, CreatedAt: made,
	}
}

func bodyOf(job payments.ChargeJob) []byte {
	body, err := json.Marshal(job)
	if err != nil {
		panic(err)
	}
	return body
}

func quietly() *slog.Logger { return slog.New(slog.DiscardHandler) }

// bench is a worker in a small world, and what became of its messages and its trace.
type bench struct {
	*worker.Worker
	world *strategytest.World
	trace *trace
}

func newBench() *bench {
	world, trace := strategytest.NewWorld(), &trace{}
	probe := step.Probe{Recorder: trace}
	return &bench{world: world, trace: trace, Worker: &worker.Worker{
		Strategies: strategy.All(worker.Observe(world.Tools(), probe)),
		Attempts:   &attempts{},
		Probe:      probe,
		Delays: func(context.Context) []time.Duration {
			return []time.Duration{time.Second, 2 * time.Second, 10 * time.Second}
		},
		Now: func(context.Context) (time.Time, error) { return made.Add(time.Minute), nil },
		Log: quietly(),
	}}
}

// instead replaces all strategies by one that does what the test says.
func (b *bench) instead(handle func(context.Context, strategy.Delivery) error) {
	b.Strategies = []strategy.Named{{ID: "naive", Strategy: handler(handle)}}
}

type handler func(context.Context, strategy.Delivery) error

func (h handler) Handle(ctx context.Context, d strategy.Delivery) error { return h(ctx, d) }

// attempts counts deliveries of any message.
type attempts struct {
	err   error
	until int // the tries that fail; 0 is all
	n     int
}

func (a *attempts) CountDelivery(context.Context, payments.ChargeJob) (int, error) {
	a.n++
	if a.until > 0 && a.n > a.until {
		return a.n, nil
	}
	return a.n, a.err
}

// message is a delivery that notes how it is settled.
type message struct {
	id          string
	body        []byte
	redelivered bool
	returns     int
	attempt     int
	fails       error // every settlement
	settled     []settlement
}

type settlement struct {
	How    string
	Delay  time.Duration
	Reason string
}

func newMessage(job payments.ChargeJob) *message {
	return &message{id: job.MessageID, body: bodyOf(job), attempt: 1}
}

func (m *message) ID() string        { return m.id }
func (m *message) Body() []byte      { return m.body }
func (m *message) Redelivered() bool { return m.redelivered }
func (m *message) Returns() int      { return m.returns }
func (m *message) Attempt() int      { return m.attempt }

func (m *message) Ack() error {
	m.settled = append(m.settled, settlement{How: "ack"})
	return m.fails
}

func (m *message) RetryLater(_ context.Context, delay time.Duration, _ error) (string, error) {
	m.settled = append(m.settled, settlement{How: "retry", Delay: delay})
	return "retry." + delay.String(), m.fails
}

func (m *message) DeadLetter(_ context.Context, reason string, cause error) error {
	if cause == nil {
		return errors.New("a dead letter without a cause")
	}
	m.settled = append(m.settled, settlement{How: "dead-letter", Reason: reason})
	return m.fails
}

// trace keeps the events, and strikes with an error.
type trace struct {
	breaks step.Name // struck every time
	once   step.Name // struck the next time

	mu       sync.Mutex
	events   []event
	subjects []step.Subject
}

type event struct {
	Name   step.Name
	Detail step.Detail
}

func (r *trace) Record(ctx context.Context, name step.Name, detail step.Detail, _ ...step.Name) (step.Strike, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, event{name, detail})
	r.subjects = append(r.subjects, step.SubjectOf(ctx))
	if name != r.breaks && name != r.once {
		return step.Strike{}, nil
	}
	r.once = ""
	return step.Strike{Action: step.Error}, nil
}

func (r *trace) Await(context.Context, int64) error { return nil }

func (r *trace) names() []step.Name {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []step.Name
	for _, event := range r.events {
		names = append(names, event.Name)
	}
	return names
}

// last is the newest event of a name, and whose it is; the zero values where there is none.
func (r *trace) last(name step.Name) (event, step.Subject) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, event := range slices.Backward(r.events) {
		if event.Name == name {
			return event, r.subjects[i]
		}
	}
	return event{}, step.Subject{}
}

// receive takes one value that must come.
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

// eventually asks again and again until the answer is yes.
func eventually(t *testing.T, what string, yes func(context.Context) (bool, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
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
