package rabbit

import (
	"context"
	"errors"
	"maps"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/payments"
)

// Headers of ours. Those that begin with x- belong to the broker.
const (
	attemptHeader    = "attempt"
	reasonHeader     = "reason"
	firstErrorHeader = "first_error"
	lastErrorHeader  = "last_error"
)

// ErrSettled says that this delivery was settled before. A second ack would close the channel and send
// every neighbour's message out again.
var ErrSettled = errors.New("the delivery is settled already")

// Delivery is one delivery of a message. It is settled once: acked, sent round by a retry queue, or
// dead-lettered. It belongs to its session; when that is gone, settling fails and the broker
// delivers again.
type Delivery struct {
	raw       amqp.Delivery
	publisher *Publisher
	settled   atomic.Bool
}

// ID is the message id.
func (d *Delivery) ID() string { return d.raw.MessageId }

// Body is the message's body.
func (d *Delivery) Body() []byte { return d.raw.Body }

// Redelivered is the broker's hint that this was delivered before. False proves nothing: a duplicate
// that was published is not marked.
func (d *Delivery) Redelivered() bool { return d.raw.Redelivered }

// Returns is how often this very message came back to its queue: crashes and lost connections. A
// retry begins anew, because it is a fresh message.
func (d *Delivery) Returns() int { return number(d.raw.Headers["x-delivery-count"]) }

// Attempt counts the tries so far, by our own header: 1 before the first retry.
func (d *Delivery) Attempt() int { return max(1, number(d.raw.Headers[attemptHeader])) }

// Ack tells the broker that the message is done.
func (d *Delivery) Ack() error {
	if d.settled.Swap(true) {
		return ErrSettled
	}
	return d.raw.Ack(false)
}

// RetryLater publishes the message, with its id, to the queue of the delay, and acks this delivery once
// that is confirmed. A crash in between gives a duplicate, which the same id covers. It returns the
// queue's name.
func (d *Delivery) RetryLater(ctx context.Context, delay time.Duration, cause error) (string, error) {
	queue := d.publisher.Topology.Retry(delay)
	return queue, d.replace(func() error {
		message := d.again(cause)
		message.Headers[attemptHeader] = int32(d.Attempt() + 1)
		return d.publisher.publishRetry(ctx, delay, message)
	})
}

// DeadLetter publishes the message to the dead letters with its reason, and acks once that is
// confirmed. A reject would carry no reason.
func (d *Delivery) DeadLetter(ctx context.Context, reason string, cause error) error {
	return d.replace(func() error {
		message := d.again(cause)
		message.Headers[reasonHeader] = reason
		return d.publisher.publishDead(ctx, message)
	})
}

// replace settles the delivery by what was published in its place. Where that was not confirmed, the
// message goes back to its queue. Reject counts as a return on every broker version; from 4.3 on a
// nack would not, and could go on for ever.
func (d *Delivery) replace(publish func() error) error {
	if d.settled.Swap(true) {
		return ErrSettled
	}
	if err := publish(); err != nil {
		return errors.Join(err, d.raw.Reject(true))
	}
	return d.raw.Ack(false)
}

// again is the same message with the error in its headers, those of the broker left out.
func (d *Delivery) again(cause error) payments.Message {
	headers := amqp.Table{}
	maps.Copy(headers, d.raw.Headers)
	maps.DeleteFunc(headers, func(name string, _ any) bool { return len(name) > 2 && name[:2] == "x-" })
	if _, ok := headers[firstErrorHeader]; !ok {
		headers[firstErrorHeader] = cause.Error()
	}
	headers[lastErrorHeader] = cause.Error()
	return payments.Message{ID: d.raw.MessageId, Body: d.raw.Body, Headers: headers}
}

// AsDeadLetter reads what the dead letters say of a message: the worker's reason or, where the broker
// itself gave up, the broker's.
func (d *Delivery) AsDeadLetter() payments.DeadLetter {
	letter := payments.DeadLetter{
		MessageID:  d.raw.MessageId,
		Reason:     text(d.raw.Headers[reasonHeader]),
		FirstError: text(d.raw.Headers[firstErrorHeader]),
		LastError:  text(d.raw.Headers[lastErrorHeader]),
		Body:       d.raw.Body,
	}
	if letter.Reason == "" {
		letter.Reason = brokersReason(d.raw.Headers)
	}
	return letter
}

func brokersReason(headers amqp.Table) string {
	deaths, _ := headers["x-death"].([]any)
	if len(deaths) > 0 {
		if death, ok := deaths[0].(amqp.Table); ok {
			return text(death["reason"])
		}
	}
	return "unknown"
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// number reads a header in whichever integer type it came over the wire.
func number(value any) int {
	switch n := value.(type) {
	case int64:
		return int(n)
	case int32:
		return int(n)
	case int16:
		return int(n)
	case uint8:
		return int(n)
	default:
		return 0
	}
}
