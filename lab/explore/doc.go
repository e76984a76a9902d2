// Package explore searches every schedule of a strategy within bounds: where a worker is killed, what the
// broker delivers again, which answers of the bank are lost, in which order two workers take their turns.
// It runs the very files of package strategy, on a world in memory.
//
//	state ── every event that is possible now ──▶ states ── new ones ──▶ … ── breadth first, until none is new
//	  │                                                                  a broken property? the way back is
//	  └─ bank, tables, queue, workers, what is left of the bounds        the shortest schedule that breaks it
//
// A strategy touches the world only through its tools, and between two calls it is a function of the
// answers so far. So no goroutine is needed: to advance a worker, Handle runs again on the recorded
// answers and is unwound at the first call that has none. That call is the worker's next event. The idea
// is that of stateless search by re-execution (Godefroid, VeriSoft, POPL 1997); equal states are
// explored once.
//
// What the model assumes, and says beside every "safe":
//   - a delivery is handled within its deadline: the bank forgets keys only while none is in hand;
//   - a lease ends while its holder works only where the search is about that; one that nobody works under
//     is over when the message comes back;
//   - a second delivery of a message comes at least a second later; two purchases fall into one second;
//   - to lose the answer of our own database is, for a strategy, what a crash there is.
//
// "Safe" is within the bounds and for this model. That the model is faithful is what replays on real
// processes, and runs of random operations on it and on PostgreSQL, are for.
package explore
