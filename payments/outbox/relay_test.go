package outbox_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/outbox"
	"example.com/doublecharge/payments/step"
)

// table is an outbox in memory.
type table struct {
	mu       sync.Mutex
	unsent   []payments.OutboxRow
	claims   []time.Time
	claimErr error
	markErr  error
	sent     []int64
	failed   map[int64]string
	released int
}

func newTable(rows int) *table {
	table := &table{failed: map[int64]string{}}
	for id := range int64(rows) {
		table.unsent = append(table.unsent, row(id+1))
	}
	return table
}

func row(id int64) payments.OutboxRow {
	return payments.OutboxRow{ID: id, Job: payments.ChargeJob{MessageID: "m-" + strconv.FormatInt(id, 10)}}
}

func (o *table) claim(_ context.Context, limit int) (outbox.Batch, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.claims = append(o.claims, time.Now())
	return &batch{o, o.unsent[:min(limit, len(o.unsent))]}, o.claimErr
}

type batch struct {
	table *table
	rows  []payments.OutboxRow
}

func (b *batch) Rows() []payments.OutboxRow { return b.rows }

func (b *batch) Mark(ctx context.Context, sent []int64, failed map[int64]string) error {
	b.table.mu.Lock()
	defer b.table.mu.Unlock()
	if b.table.markErr != nil {
		return b.table.markErr
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.table.sent = append(b.table.sent, sent...)
	var left []payments.OutboxRow
	for _, row := range b.table.unsent {
		if !slices.Contains(sent, row.ID) {
			left = append(left, row)
		}
	}
	b.table.unsent = left
	maps.Copy(b.table.failed, failed)
	return nil
}

func (b *batch) Release(ctx context.Context) {
	b.table.mu.Lock()
	defer b.table.mu.Unlock()
	if ctx.Err() == nil {
		b.table.released++
	}
}

// broker keeps what was published and refuses what it is told to.
type broker struct {
	mu        sync.Mutex
	published []string
	refuse    func(id string) error
}

func (b *broker) PublishJobs(_ context.Context, messages []payments.Message) []error {
	b.mu.Lock()
	defer b.mu.Unlock()
	results := make([]error, len(messages))
	for i, m := range messages {
		b.published = append(b.published, m.ID)
		if b.refuse != nil {
			results[i] = b.refuse(m.ID)
		}
	}
	return results
}

// relayed runs a relay, in a bubble of its own time, for as long as it is told.
func relayed(
	t *testing.T, table *table, broker *broker, probe step.Probe, wake <-chan struct{}, forHowLong time.Duration,
) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), forHowLong)
	defer cancel()
	relay := &outbox.Relay{
		Claim: table.claim, Publisher: broker, Probe: probe, Wake: wake, Log: slog.New(slog.DiscardHandler),
	}
	if err := relay.Run(ctx); err != nil {
		t.Error(err)
	}
}

func TestARelayPublishesAndMarksEveryRowOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		table, broker := newTable(2*outbox.BatchSize+5), &broker{}
		begin := time.Now()
		relayed(t, table, broker, step.Probe{}, nil, time.Second)
		if len(broker.published) != 2*outbox.BatchSize+5 || len(table.sent) != len(broker.published) {
			t.Errorf("%d were published and %d marked", len(broker.published), len(table.sent))
		}
		if at := table.claims[2].Sub(begin); at != 0 {
			t.Errorf("though batches were full, the third was claimed only after %v", at)
		}
		if table.released != 3 {
			t.Errorf("%d of 3 batches were released", table.released)
		}
	})
}

func TestARelayMarksOnlyWhatWasConfirmed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		table := newTable(3)
		refusing := true
		broker := &broker{refuse: func(id string) error {
			if id == "m-2" && refusing {
				return errors.New("unroutable")
			}
			return nil
		}}
		relayed(t, table, broker, step.Probe{}, nil, 10*time.Millisecond)
		if diff := cmp.Diff([]int64{1, 3}, table.sent); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[int64]string{2: "unroutable"}, table.failed); diff != "" {
			t.Error(diff)
		}
		refusing = false
		relayed(t, table, broker, step.Probe{}, nil, 10*time.Millisecond)
		if diff := cmp.Diff([]int64{1, 3, 2}, table.sent); diff != "" {
			t.Errorf("once the broker takes it:\n%s", diff)
		}
	})
}

// TestWhatFailsIsTriedAgainAndLessAndLessOften breaks each part in turn.
func TestWhatFailsIsTriedAgainAndLessAndLessOften(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	for name, breakIt := range map[string]func(*table, *broker){
		"the claim": func(o *table, _ *broker) { o.claimErr = down },
		"the broker": func(_ *table, b *broker) {
			b.refuse = func(string) error { return down }
		},
		"the mark": func(o *table, _ *broker) { o.markErr = down },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				table, broker := newTable(1), &broker{}
				breakIt(table, broker)
				relayed(t, table, broker, step.Probe{}, nil, time.Minute)
				tries := len(table.claims)
				if tries < 10 || tries > 60 { // Every 100 ms would be 600.
					t.Errorf("it tried %d times in a minute", tries)
				}
				if last := table.claims[tries-1].Sub(table.claims[tries-2]); last > 8*time.Second {
					t.Errorf("it waits %v", last)
				}
				if len(table.sent) != 0 {
					t.Errorf("%v are marked", table.sent)
				}
				table.claimErr, table.markErr, broker.refuse = nil, nil, nil
				relayed(t, table, broker, step.Probe{}, nil, time.Second)
				if diff := cmp.Diff([]int64{1}, table.sent); diff != "" {
					t.Errorf("when all is well again:\n%s", diff)
				}
			})
		})
	}
}

func TestAnErrorAtAStepOfTheRelay(t *testing.T) {
	t.Parallel()
	for at, want := range map[step.Name][]string{
		step.RelayClaimed:   {"m-1"},        // before it is published: nothing went out yet
		step.RelayPublished: {"m-1", "m-1"}, // before the mark: it goes out twice, with one id
		step.RelayMarked:    {"m-1"},        // after the mark: nothing to repeat
	} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				table, broker := newTable(1), &broker{}
				probe := step.Probe{Recorder: newStrikeOnce(at)}
				relayed(t, table, broker, probe, nil, time.Second)
				if diff := cmp.Diff(want, broker.published); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff([]int64{1}, table.sent); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestARelayLooksByItselfAndAtOnceWhenItIsWoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		table := newTable(0)
		begin := time.Now()
		wake := make(chan struct{}, 1)
		time.AfterFunc(130*time.Millisecond, func() { wake <- struct{}{} })
		relayed(t, table, &broker{}, step.Probe{}, wake, 250*time.Millisecond)
		var at []time.Duration
		for _, claim := range table.claims {
			at = append(at, claim.Sub(begin))
		}
		ms := time.Millisecond
		if diff := cmp.Diff([]time.Duration{0, 100 * ms, 130 * ms, 200 * ms}, at); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAStopInTheMidstOfABatchStillMarksWhatWasConfirmed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		table := newTable(1)
		ctx, cancel := context.WithCancel(t.Context())
		broker := &broker{refuse: func(string) error { cancel(); return nil }}
		relay := &outbox.Relay{Claim: table.claim, Publisher: broker, Log: slog.New(slog.DiscardHandler)}
		if err := relay.Run(ctx); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]int64{1}, table.sent); diff != "" || table.released != 1 {
			t.Errorf("released %d times, marked:\n%s", table.released, diff)
		}
	})
}
