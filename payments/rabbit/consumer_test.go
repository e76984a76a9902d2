package rabbit_test

import (
	"context"
	"errors"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/payments/rabbit"
)

var errCause = errors.New("the cause")

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("the error is %v, want %v", err, want)
	}
}

func ack(t *testing.T, d *rabbit.Delivery) {
	t.Helper()
	if err := d.Ack(); err != nil {
		t.Fatal(err)
	}
}

func TestADeliveryTellsWhatTheBrokerSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.consume(nil)
	b.publish(amqp.Publishing{MessageId: "m-1", Body: []byte("body")})
	d := receive(t, "a delivery", c.deliveries)
	if d.ID() != "m-1" || string(d.Body()) != "body" || d.Redelivered() || d.Returns() != 0 || d.Attempt() != 1 {
		t.Errorf("message %q, body %q, redelivered %v, returns %d, attempt %d",
			d.ID(), d.Body(), d.Redelivered(), d.Returns(), d.Attempt())
	}
	ack(t, d)
	c.stop()
	if n := b.ready(b.topology.Jobs()); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

func TestACutConnectionDeliversAgainAndItsOldDeliveryCannotBeAcked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.consume(nil)
	b.publish(amqp.Publishing{MessageId: "m-1"})
	old := receive(t, "a delivery", c.deliveries)
	b.proxy.cut()
	if receive(t, "the loss is told", c.ready) {
		t.Error("it said that it is ready twice")
	}
	again := receive(t, "the delivery comes back", c.deliveries)
	if !receive(t, "the return is told", c.ready) {
		t.Error("it said twice that it is not ready")
	}
	if again.ID() != "m-1" || !again.Redelivered() || again.Returns() != 1 || again.Attempt() != 1 {
		t.Errorf("message %q came back, redelivered %v, returns %d, attempt %d",
			again.ID(), again.Redelivered(), again.Returns(), again.Attempt())
	}
	if err := old.Ack(); err == nil {
		t.Error("the old session's delivery was acked: on another channel, that is somebody else's message")
	}
	ack(t, again)
	c.stop()
	if n := b.ready(b.topology.Jobs()); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

func TestItConsumesAgain(t *testing.T) {
	t.Parallel()
	for name, breakIt := range map[string]func(*testing.T, *bench){
		"after the queue was deleted": func(t *testing.T, b *bench) {
			t.Helper()
			if _, err := b.direct.QueueDelete(b.topology.Jobs(), false, false, false); err != nil {
				t.Fatal(err)
			}
		},
		"after the channel was closed by the broker": func(t *testing.T, b *bench) {
			t.Helper()
			b.proxy.ackUnknownTag(t)
		},
		"after the connection was cut twice": func(t *testing.T, b *bench) {
			t.Helper()
			b.proxy.cut()
			eventually(t, "it connects", func() (bool, error) { return len(b.proxy.connections()) > 0, nil })
			b.proxy.cut()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			c := b.consume(nil)
			breakIt(t, b)
			if receive(t, "the loss is told", c.ready) {
				t.Error("it said that it is ready twice")
			}
			for !receive(t, "it is ready", c.ready) {
				t.Log("not yet")
			}
			b.publish(amqp.Publishing{MessageId: "m-1"})
			eventually(t, "the message", func() (bool, error) {
				d := receive(t, "a delivery", c.deliveries)
				return d.ID() == "m-1" && d.Ack() == nil, nil
			})
		})
	}
}

func TestStopLetsTheHandFinishAndLeavesTheRest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	begun, finish := make(chan string, 10), make(chan struct{})
	c := &consumer{ready: make(chan bool, 10)}
	b.run(c, nil, func(ctx context.Context, d *rabbit.Delivery) {
		begun <- d.ID()
		select {
		case <-finish:
		case <-ctx.Done():
		}
		if err := d.Ack(); err != nil {
			t.Error(err)
		}
	})
	for _, id := range []string{"m-1", "m-2", "m-3"} {
		b.publish(amqp.Publishing{MessageId: id})
	}
	receive(t, "the first is in hand", begun)
	stopped := make(chan struct{})
	go func() { c.stop(); close(stopped) }()
	receive(t, "it tells the broker that it takes no more", b.proxy.cancelled)
	close(finish)
	receive(t, "the consumer ends", stopped)
	if len(begun) != 0 {
		t.Errorf("%s was begun after the stop", <-begun)
	}
	for _, want := range []string{"m-2", "m-3"} {
		if d := b.take(b.topology.Jobs()); d.MessageId != want || d.Redelivered {
			t.Errorf("%s is left, redelivered %v; want %s, which was never begun", d.MessageId, d.Redelivered, want)
		}
	}
}

func TestAHandThatDoesNotFinishInItsGraceIsToldToGiveUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	begun := make(chan struct{})
	c := &consumer{ready: make(chan bool, 10)}
	b.run(c, func(c *rabbit.Consumer) { c.Grace = 1 }, func(ctx context.Context, _ *rabbit.Delivery) {
		close(begun)
		<-ctx.Done()
	})
	b.publish(amqp.Publishing{MessageId: "m-1"})
	receive(t, "it is in hand", begun)
	c.stop()
	if d := b.take(b.topology.Jobs()); d.MessageId != "m-1" || !d.Redelivered {
		t.Errorf("%s is left, redelivered %v", d.MessageId, d.Redelivered)
	}
}
