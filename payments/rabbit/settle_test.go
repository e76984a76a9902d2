package rabbit_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/rabbit"
)

func TestADeliveryIsSettledOnceAndItsNeighbourStays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.consume(func(c *rabbit.Consumer) { c.Prefetch = 2 })
	for _, id := range []string{"m-1", "m-2"} {
		b.publish(amqp.Publishing{MessageId: id})
	}
	first, neighbour := receive(t, "a delivery", c.deliveries), receive(t, "its neighbour", c.deliveries)
	ack(t, first)
	wantError(t, first.Ack(), rabbit.ErrSettled)
	wantError(t, first.DeadLetter(t.Context(), "reason", errCause), rabbit.ErrSettled)
	_, err := first.RetryLater(t.Context(), delay, errCause)
	wantError(t, err, rabbit.ErrSettled)

	b.publish(amqp.Publishing{MessageId: "m-3"}) // When it is here, the broker has seen all of that.
	third := receive(t, "the third", c.deliveries)
	if third.ID() != "m-3" {
		t.Errorf("%s was delivered again", third.ID())
	}
	if n := b.ready(b.topology.Dead()) + b.ready(b.topology.Retry(delay)) + b.ready(b.topology.Jobs()); n != 0 {
		t.Errorf("a settled message went out again, %d times", n)
	}
	ack(t, neighbour)
	ack(t, third)
}

func TestRetryLaterComesBackWithItsIDAndTheNextAttempt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.consume(nil)
	b.publish(amqp.Publishing{MessageId: "m-1", Body: []byte("body"), Headers: amqp.Table{"traceparent": "00-1"}})
	for attempt := 1; attempt <= 3; attempt++ {
		d := receive(t, "a delivery", c.deliveries)
		if d.ID() != "m-1" || string(d.Body()) != "body" || d.Attempt() != attempt || d.Redelivered() {
			t.Fatalf("want attempt %d: message %q, body %q, attempt %d, redelivered %v",
				attempt, d.ID(), d.Body(), d.Attempt(), d.Redelivered())
		}
		if attempt == 3 {
			if err := d.DeadLetter(t.Context(), "reason", fmt.Errorf("the last %w", errCause)); err != nil {
				t.Fatal(err)
			}
			break
		}
		queue, err := d.RetryLater(t.Context(), delay, fmt.Errorf("number %d of %w", attempt, errCause))
		if err != nil || queue != b.topology.Retry(delay) {
			t.Fatalf("it was sent round by %q, %v", queue, err)
		}
	}
	got := b.take(b.topology.Dead())
	delete(got.Headers, "x-delivery-count") // The broker adds it.
	want := amqp.Table{
		"attempt": int32(3), "reason": "reason",
		"first_error": "number 1 of the cause", "last_error": "the last the cause",
		"traceparent": "00-1",
	}
	if diff := cmp.Diff(want, got.Headers); diff != "" || got.MessageId != "m-1" {
		t.Errorf("dead letter %q:\n%s", got.MessageId, diff)
	}
	c.stop()
	if n := b.ready(b.topology.Jobs()); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

func TestARetryByADelayThatNobodyDeclaredYet(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.consume(nil)
	b.publish(amqp.Publishing{MessageId: "m-1"})
	fresh := 2 * delay
	t.Cleanup(func() { _, _ = b.direct.QueueDelete(b.topology.Retry(fresh), false, false, false) })
	if _, err := receive(t, "a delivery", c.deliveries).RetryLater(t.Context(), fresh, errCause); err != nil {
		t.Fatal(err)
	}
	d := receive(t, "it comes back", c.deliveries)
	if d.Attempt() != 2 {
		t.Errorf("it is attempt %d", d.Attempt())
	}
	ack(t, d)
}

func TestDeadLettersSayWhy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.consume(func(c *rabbit.Consumer) { c.Queue = b.topology.Dead() })
	jobs := b.consume(nil)
	b.publish(amqp.Publishing{MessageId: "m-1", Body: []byte("body")})
	if err := receive(t, "a job", jobs.deliveries).DeadLetter(t.Context(), "hopeless", errCause); err != nil {
		t.Fatal(err)
	}
	d := receive(t, "a dead letter", c.deliveries)
	want := payments.DeadLetter{
		MessageID: "m-1", Reason: "hopeless", FirstError: "the cause", LastError: "the cause", Body: []byte("body"),
	}
	if diff := cmp.Diff(want, d.AsDeadLetter()); diff != "" {
		t.Error(diff)
	}
	ack(t, d)
}

// TestTheBrokersOwnDeadLettersSayTheBrokersReason has a message that came back more often than the broker allows.
func TestTheBrokersOwnDeadLettersSayTheBrokersReason(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.publish(amqp.Publishing{MessageId: "m-1", Body: []byte("body")})
	returns := 0
	eventually(t, "the broker gives up", func() (bool, error) {
		message, ok, err := b.direct.Get(b.topology.Jobs(), false)
		if err != nil || !ok {
			return b.ready(b.topology.Dead()) == 1, err
		}
		returns++
		return false, message.Reject(true)
	})
	if returns != 51 {
		t.Errorf("it was delivered %d times, want 51", returns)
	}
	c := b.consume(func(c *rabbit.Consumer) { c.Queue = b.topology.Dead() })
	d := receive(t, "a dead letter", c.deliveries)
	want := payments.DeadLetter{MessageID: "m-1", Reason: "delivery_limit", Body: []byte("body")}
	if diff := cmp.Diff(want, d.AsDeadLetter()); diff != "" {
		t.Error(diff)
	}
	ack(t, d)
}

// TestWhatCannotBeReplacedIsGivenBack: the ack comes after the confirm, and there is none.
func TestWhatCannotBeReplacedIsGivenBack(t *testing.T) {
	t.Parallel()
	for name, settle := range map[string]func(context.Context, *rabbit.Delivery) error{
		"by a retry": func(ctx context.Context, d *rabbit.Delivery) error {
			_, err := d.RetryLater(ctx, delay, errCause)
			return err
		},
		"by a dead letter": func(ctx context.Context, d *rabbit.Delivery) error {
			return d.DeadLetter(ctx, "reason", errCause)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			c := b.consume(func(c *rabbit.Consumer) { c.Publisher.URL = "amqp://127.0.0.1:1" })
			b.publish(amqp.Publishing{MessageId: "m-1"})
			wantError(t, settle(t.Context(), receive(t, "a delivery", c.deliveries)), payments.ErrUnavailable)
			again := receive(t, "it comes back", c.deliveries)
			if again.ID() != "m-1" || again.Returns() != 1 || again.Attempt() != 1 {
				t.Errorf("%s came back, returns %d, attempt %d", again.ID(), again.Returns(), again.Attempt())
			}
			ack(t, again)
		})
	}
}
