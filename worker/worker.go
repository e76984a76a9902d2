// Package worker is the delivery loop: decode, run the strategy, settle once.
//
//	delivery ─▶ decode ─▶ strategy: look ▶ charge ▶ record ─▶ settle
//	               │                                            ├─ done, declined, already done: ack
//	               └─ malformed: dead letter                    ├─ unknown, transient: retry later, same id
//	                                                            └─ hopeless, tried enough: dead letter
package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// maxReturns is how often a message may come back by crashes and lost connections before it is taken
// for the cause of them.
const maxReturns = 10

// Deadline is how long a delivery may be in a strategy's hands, unless a worker says otherwise. It is half
// of the broker's own patience, after which the job is given to somebody else, and far less than the hour
// by which a job is looked up before the bank may forget its key: what is sent under a key is sent in time.
const Deadline = 15 * time.Minute

// Message is a delivery as the broker handed it over, with its three ways to be settled. Each may be
// used once.
type Message interface {
	ID() string
	Body() []byte
	Redelivered() bool
	Returns() int
	Attempt() int
	Ack() error
	RetryLater(ctx context.Context, delay time.Duration, cause error) (queue string, err error)
	DeadLetter(ctx context.Context, reason string, cause error) error
}

// Attempts knows which attempts exist. CountDelivery returns [payments.ErrNotFound] for one that is gone.
type Attempts interface {
	CountDelivery(ctx context.Context, job payments.ChargeJob) (int, error)
}

// Worker handles charge jobs.
type Worker struct {
	Strategies []strategy.Named
	Attempts   Attempts
	Probe      step.Probe
	// Delays are the waits before each retry, one retry per delay; read anew for every retry.
	Delays func(context.Context) []time.Duration
	// Now is the lab's clock, by which the age of a job is told. When it cannot be read, nothing is
	// charged: a job that looks younger than it is could be charged under a key that the bank forgot.
	Now func(context.Context) (time.Time, error)
	// Deadline bounds a delivery. Defaults to Deadline.
	Deadline time.Duration
	Log      *slog.Logger
}

// Handle handles one delivery from its receipt to its settlement. An error in settling is only logged:
// what is not settled comes back.
func (w *Worker) Handle(ctx context.Context, m Message) {
	turn := &turn{worker: w, message: m, log: w.Log.With("message_id", m.ID())}
	job, err := payments.DecodeChargeJob(m.ID(), m.Body())
	delivery, gone := 0, false
	if err == nil {
		delivery, err = w.count(ctx, job)
		gone = errors.Is(err, payments.ErrNotFound)
	}
	turn.job = job
	turn.log = turn.log.With("order_id", job.OrderID, "delivery", delivery)
	ctx = step.About(ctx, step.Subject{
		OrderID: job.OrderID, MessageID: m.ID(), Account: job.Account, Delivery: delivery,
	})
	redelivered := m.Redelivered()
	w.Probe.Note(ctx, step.BrokerDeliver, step.Detail{
		From: "broker", To: "worker", Key: m.ID(), Redelivered: &redelivered,
	})
	if gone {
		turn.log.WarnContext(ctx, "acked without a charge: its attempt is gone")
		turn.ack(ctx)
		return
	}
	if err == nil {
		err = turn.run(ctx)
	}
	turn.settle(ctx, err)
}

// count counts the delivery. While the database is away it waits with the message in hand, un-acked:
// an outage of our own must cost no retry, or a longer one would dead-letter everything.
func (w *Worker) count(ctx context.Context, job payments.ChargeJob) (int, error) {
	pace := backoff.NewExponentialBackOff()
	pace.InitialInterval, pace.MaxInterval = 50*time.Millisecond, time.Second
	return backoff.Retry(ctx, func() (int, error) {
		delivery, err := w.Attempts.CountDelivery(ctx, job)
		if err != nil && !errors.Is(err, payments.ErrUnavailable) {
			return delivery, backoff.Permanent(err)
		}
		return delivery, err
	}, backoff.WithBackOff(pace), backoff.WithMaxElapsedTime(0))
}
