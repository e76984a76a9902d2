package strategy

// CheckThenAct is the seen-set on a table without a unique constraint: it looks, charges, and inserts.
//
// Survives: a redelivery after the insert.
// Breaks the charge: a crash or a lost answer in the gap between charge and insert; two deliveries
// at once.
// Breaks the points: a crash after the effects, and two deliveries at once, which insert two rows
// where a constraint would at least have raised its voice.
//
//	worker 1: look: not seen ── charge 1 ── apply ── insert
//	worker 2: look: not seen ── charge 2 ── apply ── insert
//	bank:   two charges
//	ledger: points twice
//
// A check is not enough: between looking and acting, the answer grows old.
func CheckThenAct(t Tools) Strategy { return SeenSetOnly{t.Unguarded, t.Bank, t.Ledger} }
