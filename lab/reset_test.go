package lab_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/payments/stripetest"
)

// supervise replaces the workers, on command, when the test says so. What was given comes over the
// channel first.
func (b *bench) supervise(ctx context.Context, replace <-chan struct{}) <-chan string {
	given := make(chan string, 1)
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			commands, err := b.Store.Commands(ctx, "worker")
			if err == nil && len(commands) > 0 {
				given <- commands[0].Command
				select {
				case <-replace:
				case <-ctx.Done():
					return
				}
				if err := b.Store.Done(ctx, commands[0].ID); err != nil {
					b.t.Error(err)
				}
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}()
	return given
}

func TestAResetClearsEverythingButTheSettings(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	stripe := stripetest.NewServer(t)
	b.Emulator = lab.NewEmulator(stripe.URL, "sk_test_1")
	last := b.mess()
	chargeAt(t, stripe.URL)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	replace, done := make(chan struct{}), make(chan error, 1)
	given := b.supervise(ctx, replace)
	if b.Resetting() {
		t.Error("it resets before it was told to")
	}
	go func() { done <- b.Reset(ctx) }()
	if command := receive(t, "the supervisor is told", given); command != postgres.ReplaceCommand {
		t.Errorf("the supervisor is told to %q", command)
	}
	if !b.Resetting() {
		t.Error("checkouts go on while the table is cleared")
	}
	wantError(t, b.Reset(ctx), payments.ErrConflict)
	if !b.Resetting() {
		t.Error("a second reset ends the first one")
	}
	b.publish(b.Queues.Topology.Jobs()) // A worker that dies gives its message back.
	close(replace)
	if err := receive(t, "the reset ends", done); err != nil {
		t.Fatal(err)
	}
	if b.Resetting() {
		t.Error("it never ends")
	}
	b.wantClean(last)
	b.calm("after a reset")
	if charges := stripe.Charges(); len(charges) != 0 {
		t.Errorf("the bank remembers %d charges", len(charges))
	}
}

// chargeAt leaves one charge at the bank.
func chargeAt(t *testing.T, url string) {
	t.Helper()
	form := "amount=42000&currency=try&payment_method=pm_card_visa&confirm=true&payment_method_types[]=card"
	url += "/v1/payment_intents"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer sk_test_1")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("the bank says %s, %v", response.Status, err)
	}
}

// mess leaves something in every table and queue, and returns the id of the last event.
func (b *bench) mess() (last int64) {
	b.t.Helper()
	ctx := b.t.Context()
	paid := b.buy()
	b.relay()
	b.pay(paid, "ch_1")
	b.buy()
	for _, err := range []error{
		b.Store.KeepDeadLetter(ctx, payments.DeadLetter{MessageID: "m-1", Body: []byte("{}")}),
		must(b.Change(ctx, step.Change{Strategy: new("naive"), Workers: new(2)})),
		must(b.Arm(ctx, fault())),
		must(b.Store.Advance(ctx, time.Hour)),
	} {
		if err != nil {
			b.t.Fatal(err)
		}
	}
	for _, queue := range []string{
		b.Queues.Topology.Jobs(), b.Queues.Topology.Retry(retryDelay), b.Queues.Topology.Dead(),
	} {
		b.publish(queue)
	}
	events, err := b.Events(ctx, 0, "")
	if err != nil || len(events) == 0 {
		b.t.Fatalf("events: %v, %v", events, err)
	}
	return events[len(events)-1].ID
}

func must[T any](_ T, err error) error { return err }

func (b *bench) wantClean(last int64) {
	b.t.Helper()
	ctx := b.t.Context()
	for _, table := range []string{
		"orders", "attempts", "outbox", "idempotency_keys", "seen_set", "mail_outbox", "mailbox", "dead_letters",
		"lab_faults", "lab_waits",
	} {
		if n := b.count("SELECT count(*) FROM " + table); n != 0 {
			b.t.Errorf("%s has %d rows", table, n)
		}
	}
	state, err := b.State(ctx)
	if err != nil {
		b.t.Fatal(err)
	}
	want := step.DefaultSettings()
	want.Strategy, want.Workers = "naive", 2
	if diff := cmp.Diff(want, state.Settings); diff != "" {
		b.t.Errorf("settings (-want +got):\n%s", diff)
	}
	for _, queue := range state.Queues {
		if queue.Ready != 0 {
			b.t.Errorf("%s has %d messages", queue.Name, queue.Ready)
		}
	}
	if ahead, _, err := b.Store.Clock(ctx); err != nil || ahead != 0 {
		b.t.Errorf("the clock is %v ahead, %v", ahead, err)
	}
	events, err := b.Events(ctx, last, "")
	if err != nil || len(events) != 1 || events[0].Step != step.LabReset {
		b.t.Errorf("a reader that resumes after %d sees %+v, %v", last, events, err)
	}
	if all, err := b.Events(ctx, 0, ""); err != nil || len(all) != 1 {
		b.t.Errorf("a new reader sees %d events, %v", len(all), err)
	}
}

func TestAResetThatFailsIsOver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, cancel := context.WithTimeout(t.Context(), short)
	defer cancel()
	wantError(t, b.Reset(ctx), payments.ErrUnavailable) // There is no supervisor.
	if b.Resetting() {
		t.Error("no reset can ever follow")
	}
}

func TestAdvanceMovesTheBanksClockAndTheLabs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	stripe := stripetest.NewServer(t)
	b.Emulator = lab.NewEmulator(stripe.URL, "sk_test_1")
	for _, want := range []time.Duration{25 * time.Hour, 50 * time.Hour} {
		clock, err := b.Advance(t.Context(), 25*time.Hour)
		if err != nil || clock.Offset != want.String() {
			t.Errorf("the clock is %+v, %v", clock, err)
		}
		if ahead := time.Until(clock.Now); ahead < want-time.Minute || ahead > want {
			t.Errorf("it says that it is %v ahead, want %v", ahead, want)
		}
		if ahead, _, err := b.Store.Clock(t.Context()); err != nil || ahead != want {
			t.Errorf("the workers see %v, %v", ahead, err)
		}
	}
	b.Emulator = lab.NewEmulator("http://127.0.0.1:1", "sk_test_1")
	_, err := b.Advance(t.Context(), time.Hour)
	wantError(t, err, payments.ErrUnavailable)
	if ahead, _, err := b.Store.Clock(t.Context()); err != nil || ahead < 50*time.Hour {
		t.Errorf("the workers must never see a job as younger than the bank does: %v, %v", ahead, err)
	}
}
