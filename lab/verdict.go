package lab

import (
	"context"
	"time"

	"example.com/doublecharge/payments"
)

// Verdict asks the bank about one order and judges. A bank that cannot be asked gives the verdict
// unknown, not an error: that it is unknown is the answer.
func (l *Lab) Verdict(ctx context.Context, orderID string) (payments.Verdict, error) {
	if _, err := l.Store.Order(ctx, orderID, ""); err != nil {
		return payments.Verdict{}, err
	}
	quiet, err := l.quietNow(ctx)
	if err != nil {
		return payments.Verdict{}, err
	}
	// What the order shows is read after quiet was, so that a quiet order is judged by its end.
	return l.judge(ctx, orderID, quiet)
}

func (l *Lab) judge(ctx context.Context, orderID string, quiet bool) (payments.Verdict, error) {
	evidence := payments.Evidence{Quiet: quiet}
	var err error
	if evidence.Order, err = l.Store.Order(ctx, orderID, ""); err != nil {
		return payments.Verdict{}, err
	}
	if evidence.Deliveries, err = l.Store.Deliveries(ctx, orderID); err != nil {
		return payments.Verdict{}, err
	}
	if evidence.Requests, evidence.Replayed, err = l.Store.BankCalls(ctx, orderID); err != nil {
		return payments.Verdict{}, err
	}
	lines, err := l.bankLines(ctx)
	if err != nil {
		l.Log.WarnContext(ctx, "the bank cannot be asked", "error", err)
	}
	evidence.BankAnswered = err == nil
	for _, line := range lines {
		if line.OrderID == orderID {
			evidence.Bank = append(evidence.Bank, line)
		}
	}
	return payments.Judge(evidence), nil
}

// Statement shows the bank beside our ledger, of one account or, for "", of all demo accounts.
func (l *Lab) Statement(ctx context.Context, account string) (payments.Statement, error) {
	var statement payments.Statement
	ledger, err := l.Store.Ledger(ctx, account)
	if err != nil {
		return statement, err
	}
	statement.Ledger.Lines = ledger
	lines, err := l.bankLines(ctx)
	if err != nil {
		return statement, err
	}
	orders := map[string]bool{}
	for _, line := range ledger {
		orders[line.OrderID] = true
	}
	statement.Bank.Lines = []payments.BankLine{}
	for _, line := range lines {
		ours := l.Emulator != nil || orders[line.OrderID] // Stripe shows what was before the reset, too.
		if ours && (account == "" || line.Account == account) {
			statement.Bank.Lines = append(statement.Bank.Lines, line)
		}
	}
	return statement, nil
}

// bankLines reads the bank's charges since the last reset. The emulator forgets at a reset, and its
// clock may be anywhere; Stripe's test mode does not, and its clock is the world's.
func (l *Lab) bankLines(ctx context.Context) ([]payments.BankLine, error) {
	since := time.Unix(0, 0)
	if l.Emulator == nil {
		_, resetAt, err := l.Store.Clock(ctx)
		if err != nil {
			return nil, err
		}
		since = resetAt.Add(-time.Hour) // The two clocks need not agree; the orders tell whose charges they are.
	}
	return l.Bank.Charges(ctx, since)
}
