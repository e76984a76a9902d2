// Package outbox is the relay: it publishes what the checkout wrote.
//
//	claim a batch (SKIP LOCKED) ─▶ publish it with deferred confirms ─▶ mark what was confirmed
//	        ▲                                                            and not returned
//	        └── woken by the api's notification, and by a poll, which alone is the truth
//
// A relay that dies between publishing and marking publishes again. That duplicate is by design: it
// carries the same message id.
package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// BatchSize is how many rows are published before their confirms are awaited.
const BatchSize = 100

// Batch is a set of rows that nobody else publishes until it is marked or released.
type Batch interface {
	Rows() []payments.OutboxRow
	Mark(ctx context.Context, sent []int64, failed map[int64]string) error
	Release(ctx context.Context)
}

// Publisher answers nil for each message that was confirmed and routed.
type Publisher interface {
	PublishJobs(ctx context.Context, messages []payments.Message) []error
}

// Relay moves rows from the outbox to the broker.
type Relay struct {
	// Claim takes up to limit rows.
	Claim     func(ctx context.Context, limit int) (Batch, error)
	Publisher Publisher
	Probe     step.Probe
	// Wake says that there may be something to do. Optional.
	Wake <-chan struct{}
	// Poll is how often it looks by itself. Defaults to 100 ms.
	Poll time.Duration
	Log  *slog.Logger
}

// Run relays until the context ends. While the broker or the database is down it backs off, and
// nothing is lost: the rows wait.
func (r *Relay) Run(ctx context.Context) error {
	tick := time.NewTicker(max(r.Poll, 100*time.Millisecond))
	defer tick.Stop()
	pace := backoff.NewExponentialBackOff()
	pace.InitialInterval, pace.MaxInterval = 100*time.Millisecond, 5*time.Second
	for ctx.Err() == nil {
		n, err := r.once(ctx)
		if err != nil && ctx.Err() == nil {
			r.pause(ctx, err, pace.NextBackOff())
			continue
		}
		pace.Reset()
		if n == BatchSize {
			continue // There may be more.
		}
		select {
		case <-tick.C:
		case <-r.Wake:
		case <-ctx.Done():
		}
	}
	return nil
}

func (r *Relay) pause(ctx context.Context, err error, d time.Duration) {
	r.Log.WarnContext(ctx, "nothing can be published now", "error", err, "again_in", d)
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// once publishes one batch and says how many rows it had.
func (r *Relay) once(ctx context.Context) (int, error) {
	batch, err := r.Claim(ctx, BatchSize)
	if err != nil {
		return 0, err
	}
	rows := batch.Rows()
	if len(rows) == 0 {
		return 0, nil
	}
	defer batch.Release(context.WithoutCancel(ctx))
	if err := r.reach(ctx, rows, step.RelayClaimed); err != nil {
		return 0, err
	}
	sent, failed, firstErr := r.publish(ctx, rows)
	if err := r.reach(ctx, sent, step.RelayPublished); err != nil {
		return 0, err
	}
	if err := batch.Mark(context.WithoutCancel(ctx), ids(sent), failed); err != nil {
		return 0, err
	}
	if err := r.reach(ctx, sent, step.RelayMarked); err != nil {
		r.Log.WarnContext(ctx, "marked, and then", "error", err) // It is sent and marked: nothing to repeat.
	}
	return len(rows), firstErr
}

// publish sends the rows, some of them twice where that was asked for, and sorts them by what the broker
// said.
func (r *Relay) publish(ctx context.Context, rows []payments.OutboxRow) (
	sent []payments.OutboxRow, failed map[int64]string, first error,
) {
	messages := make([]payments.Message, len(rows))
	var copies []int
	for i, row := range rows {
		body, _ := json.Marshal(row.Job) // Strings, integers and a time always encode.
		messages[i] = payments.Message{ID: row.Job.MessageID, Body: body}
		strike := r.Probe.Strike(about(ctx, row), step.BrokerPublish, toBroker(row), step.BrokerDuplicate)
		if strike.Action == step.Duplicate {
			copies = append(copies, i)
		}
	}
	// A stop waits for the confirms, which takes seconds at most: published and not marked, the rows
	// would be published again.
	ctx = context.WithoutCancel(ctx)
	results := r.Publisher.PublishJobs(ctx, messages)
	r.publishAgain(ctx, rows, messages, copies, results)
	failed = map[int64]string{}
	for i, err := range results {
		if err == nil {
			sent = append(sent, rows[i])
			continue
		}
		failed[rows[i].ID] = err.Error()
		if first == nil {
			first = fmt.Errorf("publish %s: %w", rows[i].Job.MessageID, err)
		}
	}
	return sent, failed, first
}

// publishAgain sends copies: the same messages with the same ids. A row is sent when its copy is, too.
func (r *Relay) publishAgain(
	ctx context.Context, rows []payments.OutboxRow, messages []payments.Message, copies []int, results []error,
) {
	if len(copies) == 0 {
		return
	}
	again := make([]payments.Message, len(copies))
	for n, i := range copies {
		again[n] = messages[i]
		r.Probe.Note(about(ctx, rows[i]), step.BrokerPublish, toBroker(rows[i]))
	}
	for n, err := range r.Publisher.PublishJobs(ctx, again) {
		results[copies[n]] = errors.Join(results[copies[n]], err)
	}
}

func toBroker(row payments.OutboxRow) step.Detail {
	return step.Detail{From: "relay", To: "broker", Key: row.Job.MessageID}
}

// reach reaches a step once for each row.
func (r *Relay) reach(ctx context.Context, rows []payments.OutboxRow, name step.Name) error {
	for _, row := range rows {
		if err := r.Probe.Reach(about(ctx, row), name); err != nil {
			return err
		}
	}
	return nil
}

func about(ctx context.Context, row payments.OutboxRow) context.Context {
	return step.About(ctx, step.Subject{
		OrderID: row.Job.OrderID, MessageID: row.Job.MessageID, Account: row.Job.Account,
	})
}

func ids(rows []payments.OutboxRow) []int64 {
	list := make([]int64, len(rows))
	for i, row := range rows {
		list[i] = row.ID
	}
	return list
}
