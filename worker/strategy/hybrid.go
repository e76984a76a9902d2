package strategy

// Hybrid is the default with Redis in front of the seen-set: a redelivery that Redis knows never
// reaches PostgreSQL.
//
// Survives: what the default does, and the loss of Redis at any moment, since PostgreSQL is the truth
// and Redis says "done" only of what PostgreSQL said it of.
// Breaks: nothing.
//
//	Redis: no ── PostgreSQL: no ── charge 1, key m ── mark + apply ── ✗ crash before the ack
//	Redis: no ── PostgreSQL: yes, and Redis is told ── ack
//	bank:   one charge
//	ledger: one payment
func Hybrid(t Tools) Strategy { return SeenSetAndKey{MessageID, t.Hybrid, t.Bank, t.Ledger} }
