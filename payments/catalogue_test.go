package payments_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"example.com/doublecharge/payments"
)

func TestPriceAddsUpTheLines(t *testing.T) {
	t.Parallel()
	items := []payments.Item{
		{SKU: "espresso", Quantity: 2},
		{SKU: "gift-card", Quantity: 1},
		{SKU: "espresso", Quantity: 1},
	}
	for currency, want := range map[payments.Currency]int64{
		payments.TRY: 3*9500 + 100000, payments.EUR: 3*250 + 5000, payments.USD: 3*275 + 5000,
		payments.JPY: 3*500 + 5000, payments.KWD: 3*850 + 15000,
	} {
		got, err := payments.Price(items, currency)
		if err != nil || got != (payments.Money{Minor: want, Currency: currency}) {
			t.Errorf("%s: got %v, %v, want %d", currency, got, err, want)
		}
	}
}

func TestPriceTakesTheLargestOrderAndNoLarger(t *testing.T) {
	t.Parallel()
	const most = payments.MaxAmount / 9500
	got, err := payments.Price([]payments.Item{{SKU: "espresso", Quantity: most}}, payments.TRY)
	if err != nil || got.Minor != most*9500 {
		t.Errorf("got %v, %v, want it taken", got, err)
	}
	_, err = payments.Price([]payments.Item{{SKU: "espresso", Quantity: most + 1}}, payments.TRY)
	wantField(t, err, "items")
	lines := slices.Repeat([]payments.Item{{SKU: "espresso", Quantity: 1}}, payments.MaxItems)
	if _, err := payments.Price(lines, payments.TRY); err != nil {
		t.Errorf("%d lines: %v", len(lines), err)
	}
}

func TestPriceNamesTheLineThatIsWrong(t *testing.T) {
	t.Parallel()
	fine := payments.Item{SKU: "espresso", Quantity: 1}
	for name, c := range map[string]struct {
		items []payments.Item
		field string
	}{
		"no items":           {nil, "items"},
		"too many":           {slices.Repeat([]payments.Item{fine}, payments.MaxItems+1), "items"},
		"unknown sku":        {[]payments.Item{fine, {SKU: "tea", Quantity: 1}}, "items[1].sku"},
		"sku in capitals":    {[]payments.Item{{SKU: "ESPRESSO", Quantity: 1}}, "items[0].sku"},
		"no quantity":        {[]payments.Item{{SKU: "espresso"}}, "items[0].quantity"},
		"negative quantity":  {[]payments.Item{fine, fine, {SKU: "espresso", Quantity: -1}}, "items[2].quantity"},
		"least quantity":     {[]payments.Item{{SKU: "espresso", Quantity: math.MinInt64}}, "items[0].quantity"},
		"overflow in a line": {[]payments.Item{{SKU: "espresso", Quantity: math.MaxInt64}}, "items[0].quantity"},
		"too much in all": {
			[]payments.Item{{SKU: "grinder", Quantity: 150}, {SKU: "grinder", Quantity: 150}}, "items",
		},
	} {
		_, err := payments.Price(c.items, payments.TRY)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantField(t, err, c.field)
		})
	}
}

func TestEveryProductHasAPriceInEveryCurrency(t *testing.T) {
	t.Parallel()
	for _, product := range payments.Catalogue() {
		for _, currency := range payments.Currencies() {
			if price := product.Prices[currency]; price < 1 || price > payments.MaxAmount {
				t.Errorf("%s costs %d %s", product.SKU, price, currency)
			}
		}
	}
}

func TestCheckCardTakesTheTestCardsOnly(t *testing.T) {
	t.Parallel()
	for _, card := range payments.Cards() {
		if err := payments.CheckCard(card); err != nil {
			t.Errorf("%s: %v", card, err)
		}
	}
	for _, card := range []string{"", "pm_card_", "4242424242424242", "pm_card_VISA", "pm_card_visa "} {
		wantField(t, payments.CheckCard(card), "payment_method")
	}
}

func wantField(tb testing.TB, err error, field string) {
	tb.Helper()
	var wrong *payments.FieldError
	if !errors.As(err, &wrong) || wrong.Field != field || !errors.Is(err, payments.ErrInvalid) {
		tb.Errorf("got %v, want an error that names %s", err, field)
	}
}
