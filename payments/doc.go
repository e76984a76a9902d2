// Package payments holds the words of the business: money, an order and its payment attempts, the
// charge job that travels through the broker, what the bank answered, and the verdict on all of it.
//
// It imports nothing but the standard library. Databases, brokers and banks live in packages around
// it and meet in these types.
package payments
