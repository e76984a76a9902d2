package strategy

// RedisSeenSet is the seen-set in Redis, whose marks have a time to live.
//
// Survives: a redelivery after the mark, while Redis still has it.
// Breaks the charge and the points: where the seen-set does; and any redelivery after a flush, an
// eviction, or a time to live that is shorter than the retries.
//
//	look: not seen ── charge 1 ── apply ── mark ── ack
//	✗ Redis is flushed
//	look: not seen ── charge 2 ── apply ── mark ── ack
//	bank: two charges, ledger: points twice
//
// A cache may forget. What must not be done twice needs a memory that may not.
func RedisSeenSet(t Tools) Strategy { return SeenSetOnly{t.Redis, t.Bank, t.Ledger} }
