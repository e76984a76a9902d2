package tell

import (
	"slices"

	"example.com/doublecharge/payments"
)

// half is how wide each of the two books is.
const half = 38

// pair is what stands side by side: one charge at the bank, and the order of ours that knows of it.
type pair struct {
	bank   *payments.BankLine
	ledger *payments.LedgerLine
}

// Books puts the bank's statement beside our ledger, equal charges on one line, and names the difference.
func Books(w Words, p Paint, s payments.Statement) []string {
	wall := p.In(Faint, " │ ")
	lines := []string{p.In(Strong, fill(w.T("money.bank"), half)) + wall + p.In(Strong, w.T("money.ledger"))}
	clean, apart := false, false
	for _, both := range pairs(s) {
		left, leftTone := w.bankLine(both.bank, len(s.Bank.Lines) == 0)
		right, rightTone := w.ledgerLine(both)
		if both.bank != nil && both.bank.Succeeded() && both.ledger == nil {
			leftTone, apart = Bad, true
		}
		clean = clean || both.ledger != nil && both.ledger.Status == payments.OrderPaid
		lines = append(lines, p.In(leftTone, fill(left, half))+wall+p.In(rightTone, right))
	}
	if clean && apart {
		lines = append(lines, p.In(Bad, w.T("money.gap")))
	}
	return lines
}

// pairs gives every charge its order and lists orders without a charge last.
func pairs(s payments.Statement) []pair {
	left := slices.Clone(s.Ledger.Lines)
	var list []pair
	for i := range s.Bank.Lines {
		line := &s.Bank.Lines[i]
		both := pair{bank: line}
		at := slices.IndexFunc(left, func(l payments.LedgerLine) bool {
			return l.ChargeID != "" && l.ChargeID == line.ChargeID
		})
		if at >= 0 {
			found := left[at]
			both.ledger = &found
			left = slices.Delete(left, at, at+1)
		}
		list = append(list, both)
	}
	for i := range left {
		list = append(list, pair{ledger: &left[i]})
	}
	return list
}

func (w Words) bankLine(line *payments.BankLine, empty bool) (string, Tone) {
	switch {
	case line == nil && empty:
		return "  " + w.T("money.empty"), Faint
	case line == nil:
		return "", Plain
	}
	amount := w.Amount(payments.Money{Minor: line.Amount, Currency: line.Currency})
	return "  " + amount + "  " + w.T("charge."+line.Status) + "  " + Tail(line.ChargeID), Plain
}

func (w Words) ledgerLine(both pair) (string, Tone) {
	line := both.ledger
	if line == nil {
		if both.bank.Succeeded() {
			return w.T("money.notInLedger"), Bad
		}
		return "", Plain
	}
	amount := w.Amount(payments.Money{Minor: line.Amount, Currency: line.Currency})
	text := amount + "  " + w.T("status."+string(line.Status))
	if line.ChargeID != "" {
		text += "  " + Tail(line.ChargeID)
	}
	if both.bank == nil && line.ChargeID != "" {
		return text + "  " + w.T("money.notAtBank"), Bad
	}
	return text, Plain
}
