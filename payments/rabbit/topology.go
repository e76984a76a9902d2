package rabbit

import (
	"fmt"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// chargeKey routes a charge job to its queue, and deadKey a dead letter to its own.
const (
	chargeKey = "charge"
	deadKey   = "charge.dead"
)

// Topology names the exchanges and queues. The prefix keeps tests and lanes apart on one broker.
//
//	payments ──charge──▶ charge.jobs ──(limit, worker's verdict)──▶ payments.dlx ──▶ charge.dead
//	    ▲                     │ retry later, same message id
//	    └──── after its TTL ──┴──▶ charge.retry.500ms, .2s, .10s
type Topology struct{ Prefix string }

// Jobs is the queue of charge jobs.
func (t Topology) Jobs() string { return t.Prefix + "charge.jobs" }

// Dead is the queue of dead letters.
func (t Topology) Dead() string { return t.Prefix + "charge.dead" }

// Retry is the queue in which a message waits for the delay.
func (t Topology) Retry(delay time.Duration) string {
	if delay%time.Second == 0 {
		return fmt.Sprintf("%scharge.retry.%ds", t.Prefix, delay/time.Second)
	}
	return fmt.Sprintf("%scharge.retry.%dms", t.Prefix, delay.Milliseconds())
}

func (t Topology) exchange() string           { return t.Prefix + "payments" }
func (t Topology) deadLetterExchange() string { return t.Prefix + "payments.dlx" }

// Declare declares everything, with the same arguments for everybody: other arguments on an existing
// queue would close the channel. It works alike on RabbitMQ 3.10 and 4.
func (t Topology) Declare(ch *amqp.Channel, delays []time.Duration) error {
	for _, name := range []string{t.exchange(), t.deadLetterExchange()} {
		if err := ch.ExchangeDeclare(name, amqp.ExchangeDirect, true, false, false, false, nil); err != nil {
			return fmt.Errorf("declare exchange %s: %w", name, err)
		}
	}
	if err := t.declareQueue(ch, t.Jobs(), t.jobArgs(), t.exchange(), chargeKey); err != nil {
		return err
	}
	// Without a limit of its own, RabbitMQ 4 would drop a dead letter at the 20th crash of its keeper.
	dead := amqp.Table{amqp.QueueTypeArg: amqp.QueueTypeQuorum, "x-delivery-limit": int32(1_000_000)}
	if err := t.declareQueue(ch, t.Dead(), dead, t.deadLetterExchange(), deadKey); err != nil {
		return err
	}
	for _, delay := range delays {
		if err := t.declareRetry(ch, delay); err != nil {
			return err
		}
	}
	return nil
}

// jobArgs: a quorum queue that refuses when it is full, rather than dropping its oldest, and that
// hands dead letters over at least once. The limit of 50 deliveries is the backstop; the worker gives
// up earlier, and with a reason.
func (t Topology) jobArgs() amqp.Table {
	return amqp.Table{
		amqp.QueueTypeArg:           amqp.QueueTypeQuorum,
		amqp.QueueMaxLenArg:         int32(100_000),
		amqp.QueueOverflowArg:       amqp.QueueOverflowRejectPublish,
		"x-delivery-limit":          int32(50),
		"x-dead-letter-exchange":    t.deadLetterExchange(),
		"x-dead-letter-routing-key": deadKey,
		"x-dead-letter-strategy":    "at-least-once",
	}
}

func (t Topology) declareQueue(ch *amqp.Channel, name string, args amqp.Table, exchange, key string) error {
	if _, err := ch.QueueDeclare(name, true, false, false, false, args); err != nil {
		return fmt.Errorf("declare queue %s: %w", name, err)
	}
	if err := ch.QueueBind(name, key, exchange, false, nil); err != nil {
		return fmt.Errorf("bind queue %s: %w", name, err)
	}
	return nil
}

// declareRetry declares a queue that nobody consumes: its messages come back to the jobs when their
// time is over. A queue for each delay, because a time limit per message acts at the head only.
func (t Topology) declareRetry(ch *amqp.Channel, delay time.Duration) error {
	name := t.Retry(delay)
	args := amqp.Table{
		amqp.QueueTypeArg:           amqp.QueueTypeQuorum,
		amqp.QueueMessageTTLArg:     delay.Milliseconds(),
		amqp.QueueOverflowArg:       amqp.QueueOverflowRejectPublish,
		"x-dead-letter-exchange":    t.exchange(),
		"x-dead-letter-routing-key": chargeKey,
		"x-dead-letter-strategy":    "at-least-once",
	}
	if _, err := ch.QueueDeclare(name, true, false, false, false, args); err != nil {
		return fmt.Errorf("declare queue %s: %w", name, err)
	}
	return nil
}
