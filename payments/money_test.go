package payments_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/doublecharge/payments"
)

func TestMoneyReadsAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		money payments.Money
		text  string
		major int64
	}{
		{payments.Money{Minor: 42000, Currency: payments.TRY}, "420.00 try", 420},
		{payments.Money{Minor: 5, Currency: payments.EUR}, "0.05 eur", 0},
		{payments.Money{Minor: 199, Currency: payments.USD}, "1.99 usd", 1},
		{payments.Money{Minor: 500, Currency: payments.JPY}, "500 jpy", 500},
		{payments.Money{Minor: 3100, Currency: payments.KWD}, "3.100 kwd", 3},
		{payments.Money{Minor: 40250, Currency: payments.KWD}, "40.250 kwd", 40},
		{payments.Money{Currency: payments.TRY}, "0.00 try", 0},
		{payments.Money{Minor: math.MaxInt64, Currency: payments.TRY}, "92233720368547758.07 try", 92233720368547758},
	} {
		if got := c.money.String(); got != c.text {
			t.Errorf("%d %s reads %q, want %q", c.money.Minor, c.money.Currency, got, c.text)
		}
		if got := c.money.MajorUnits(); got != c.major {
			t.Errorf("%s has %d major units, want %d", c.text, got, c.major)
		}
	}
}

// TestMoneyNeverOverflowsInSilence holds the sums against integers without bounds: either the result
// is exact, or there is an error.
func TestMoneyNeverOverflowsInSilence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom(payments.Currencies()).Draw(t, "currency")
		a, b := edgyInt().Draw(t, "a"), edgyInt().Draw(t, "b")

		product, err := payments.Money{Minor: a, Currency: currency}.Times(b)
		exact := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		checkExact(t, "times", product, err, exact, currency, a >= 0 && b >= 0)

		sum, err := payments.Money{Minor: a, Currency: currency}.Plus(payments.Money{Minor: b, Currency: currency})
		exact = new(big.Int).Add(big.NewInt(a), big.NewInt(b))
		checkExact(t, "plus", sum, err, exact, currency, a >= 0 && b >= 0)
	})
}

// edgyInt prefers the numbers around which sums go wrong.
func edgyInt() *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Int64(), rapid.Int64Range(0, payments.MaxAmount), rapid.Int64Range(math.MaxInt64-3, math.MaxInt64),
		rapid.Int64Range(math.MinInt64, math.MinInt64+3), rapid.Int64Range(-3, 3),
		rapid.Int64Range(3037000498, 3037000501), // The root of the largest.
	)
}

func checkExact(
	t *rapid.T, what string, got payments.Money, err error, exact *big.Int, currency payments.Currency, allowed bool,
) {
	t.Helper()
	fits := allowed && exact.IsInt64()
	switch {
	case fits && err != nil:
		t.Fatalf("%s: %v, want %s", what, err, exact)
	case fits && got != payments.Money{Minor: exact.Int64(), Currency: currency}:
		t.Fatalf("%s: got %d %s, want %s %s", what, got.Minor, got.Currency, exact, currency)
	case !fits && !errors.Is(err, payments.ErrInvalid):
		t.Fatalf("%s: got %d, %v, want an error: exactly it would be %s", what, got.Minor, err, exact)
	}
}

// TestMoneyLosesNothingInWords reads the amount back from its text.
func TestMoneyLosesNothingInWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		money := payments.Money{
			Minor:    rapid.Int64Range(0, math.MaxInt64).Draw(t, "minor"),
			Currency: rapid.SampledFrom(payments.Currencies()).Draw(t, "currency"),
		}
		amount, currency, _ := strings.Cut(money.String(), " ")
		whole, fraction, _ := strings.Cut(amount, ".")
		if currency != string(money.Currency) || len(fraction) != money.Currency.Exponent() {
			t.Fatalf("%d %s reads %q", money.Minor, money.Currency, money)
		}
		minor, ok := new(big.Int).SetString(whole+fraction, 10)
		if !ok || minor.Cmp(big.NewInt(money.Minor)) != 0 {
			t.Fatalf("%d reads %q", money.Minor, money)
		}
		if major := big.NewInt(money.MajorUnits()); major.String() != whole {
			t.Fatalf("%q has %s major units", money, major)
		}
	})
}

func TestMoneyOfTwoCurrenciesCannotBeAdded(t *testing.T) {
	t.Parallel()
	_, err := payments.Money{Minor: 1, Currency: payments.EUR}.Plus(payments.Money{Minor: 1, Currency: payments.USD})
	if !errors.Is(err, payments.ErrInvalid) {
		t.Errorf("got %v, want an error", err)
	}
}

func TestParseCurrencyTakesExactlyTheCodesOfTheShop(t *testing.T) {
	t.Parallel()
	for _, code := range payments.Currencies() {
		if got, err := payments.ParseCurrency(string(code)); err != nil || got != code {
			t.Errorf("%q: got %q, %v", code, got, err)
		}
	}
	for _, code := range []string{"", "TRY", " try", "try ", "gbp", "tr", "₺"} {
		if got, err := payments.ParseCurrency(code); !errors.Is(err, payments.ErrInvalid) {
			t.Errorf("%q: got %q, %v, want it refused", code, got, err)
		}
	}
}
