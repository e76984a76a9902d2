package gateway

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v82"

	"example.com/doublecharge/payments"
)

// Charges is the bank statement since a time, oldest first: failed charges too.
func (g *Gateway) Charges(ctx context.Context, since time.Time) ([]payments.BankLine, error) {
	params := &stripe.ChargeListParams{CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	params.Limit = new(int64(100))
	lines := []payments.BankLine{}
	for charge, err := range g.client.V1Charges.List(ctx, params) {
		if err != nil {
			_, err = classify(err)
			// Nothing was asked to be done, so nothing is unknown.
			return nil, fmt.Errorf("%w: list charges: %s", payments.ErrUnavailable, err.Error())
		}
		lines = append(lines, lineOf(charge))
	}
	slices.Reverse(lines) // Stripe lists the newest first.
	return lines, nil
}

func lineOf(c *stripe.Charge) payments.BankLine {
	line := payments.BankLine{
		ChargeID: c.ID, OrderID: c.Metadata["order_id"], MessageID: c.Metadata["message_id"],
		Account: c.Metadata["account"], Amount: c.Amount, Currency: payments.Currency(c.Currency),
		Status: string(c.Status), Refunded: c.AmountRefunded, At: time.Unix(c.Created, 0).UTC(),
	}
	if c.PaymentMethodDetails != nil && c.PaymentMethodDetails.Card != nil {
		line.Last4 = c.PaymentMethodDetails.Card.Last4
	}
	return line
}
