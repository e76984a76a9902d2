package rabbit

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/cenkalti/backoff/v5"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/doublecharge/payments"
)

// heartbeat is how often both sides prove that they live. A peer that is cut off without a word is
// noticed after about three of them (measured).
const heartbeat = 5 * time.Second

// dial connects, bounded in time and by the context, with the client library's recovery off.
func dial(ctx context.Context, url, name string) (*amqp.Connection, error) {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	done := func() bool { return true }
	defer func() { done() }()
	conn, err := amqp.DialConfig(url, amqp.Config{
		Heartbeat:  heartbeat,
		Properties: amqp.Table{"connection_name": "doublecharge " + name},
		Dial: func(network, address string) (net.Conn, error) {
			socket, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			// A broker that accepts and then says nothing would hold up a stop.
			done = context.AfterFunc(ctx, func() { _ = socket.Close() })
			// The library clears this bound when the handshake is over.
			return socket, socket.SetDeadline(time.Now().Add(10 * time.Second))
		},
	})
	if err != nil {
		return nil, fmt.Errorf("%w: connect to the broker: %w", payments.ErrUnavailable, err)
	}
	return conn, nil
}

// hangUpAtEnd hangs up when the context ends before done is called, because the library's calls that
// wait for an answer know no context.
func hangUpAtEnd(ctx context.Context, conn *amqp.Connection) (done func() bool) {
	return context.AfterFunc(ctx, func() { closeConnection(conn) })
}

// closeConnection gives the broker a moment to say goodbye and then hangs up.
func closeConnection(conn *amqp.Connection) { _ = conn.CloseDeadline(time.Now().Add(2 * time.Second)) }

// reconnectPace is how often a broken session is rebuilt: soon, then every few seconds, for ever.
func reconnectPace() *backoff.ExponentialBackOff {
	pace := backoff.NewExponentialBackOff()
	pace.InitialInterval, pace.MaxInterval = 100*time.Millisecond, 5*time.Second
	return pace
}
