// Package rabbit talks to the broker: the topology, a publisher that knows what was confirmed, and a
// consumer whose deliveries know how to be settled.
//
// The client library's own recovery stays off. With it, an ack that comes after an automatic reconnect
// carries the old tag on a new channel, and settles somebody else's message without an error
// (recovery_test.go shows it). Here a session is one connection and its channels; when anything in it ends, all of it
// ends, and an ack of an old session can only fail.
package rabbit
