package rabbit

import (
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Breaker breaks a consumer's connection from outside, as a network does that fails. Its zero value
// breaks nothing yet.
type Breaker struct {
	mu   sync.Mutex
	conn *amqp.Connection
}

// Break closes the connection of the session that runs now. What it has in hand goes back to its queue.
func (b *Breaker) Break() {
	b.mu.Lock()
	conn := b.conn
	b.mu.Unlock()
	if conn != nil {
		closeConnection(conn)
	}
}

func (b *Breaker) holds(conn *amqp.Connection) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.conn = conn
}
