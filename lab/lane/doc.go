// Package lane runs experiments on real processes, apart from each other and from the shop.
//
// A lane is a whole small shop: an api, a relay, two workers and a mailer, with a schema, queues, Redis
// keys and a bank account of its own, on servers that all lanes share.
//
//	Open ─▶ number, schema, queues, processes ─▶ Play a run ─▶ Play the next … ─▶ Close: nothing is left
//	                                              clear ▶ set up ▶ buy ▶ react ▶ quiet ▶ judge
//
// The number is held by a lock in the database. A process that is killed with its lanes leaves only a
// schema and queues behind, since its children die with it; whoever takes the number next wipes them.
package lane
