// Package step names the steps in the life of a payment and makes them observable and breakable.
//
//	code ──Reach(ctx, worker.charged)──▶ Recorder: one autocommit statement consumes a fault
//	                                      and inserts the event
//	                 ◀── strike, if any ──┘
//	     crash: SIGKILL to this very process · error: returned · hang: waits
//
// The calls are compiled into every process. A zero Probe does nothing and costs nothing, so the path
// is the same code with the lab on or off. A fault strikes only after its statement has committed:
// it can neither loop nor deadlock with the transaction around it, and its event is there.
package step
