package payments

import (
	"fmt"
	"math"
	"strings"
)

// Currency is a lower-case ISO 4217 code.
type Currency string

// The currencies of the catalogue.
const (
	TRY Currency = "try"
	EUR Currency = "eur"
	USD Currency = "usd"
	JPY Currency = "jpy"
	KWD Currency = "kwd"
)

// Currencies lists what the shop sells in, in the order in which it is shown.
func Currencies() []Currency { return []Currency{TRY, EUR, USD, JPY, KWD} }

// ParseCurrency accepts exactly the lower-case codes of the catalogue.
func ParseCurrency(s string) (Currency, error) {
	for _, c := range Currencies() {
		if string(c) == s {
			return c, nil
		}
	}
	return "", fmt.Errorf("%w: currency must be one of %s", ErrInvalid, joinCurrencies())
}

func joinCurrencies() string {
	var names []string
	for _, c := range Currencies() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// Exponent is the number of decimal digits between the minor and the major unit: 0 for yen, 3 for
// Kuwaiti dinar, 2 for most.
func (c Currency) Exponent() int {
	switch c {
	case JPY:
		return 0
	case KWD:
		return 3
	default:
		return 2
	}
}

// Money is an amount in minor units (cents, kuruş, yen) of one currency. It is never negative.
type Money struct {
	Minor    int64
	Currency Currency
}

// Times multiplies by a quantity and refuses to overflow.
func (m Money) Times(quantity int64) (Money, error) {
	if quantity < 0 || m.Minor < 0 {
		return Money{}, fmt.Errorf("%w: money and quantity are never negative", ErrInvalid)
	}
	if quantity != 0 && m.Minor > math.MaxInt64/quantity {
		return Money{}, fmt.Errorf("%w: the amount is too large", ErrInvalid)
	}
	return Money{m.Minor * quantity, m.Currency}, nil
}

// Plus adds two amounts of one currency and refuses to overflow.
func (m Money) Plus(other Money) (Money, error) {
	if m.Currency != other.Currency {
		return Money{}, fmt.Errorf("%w: %s and %s cannot be added", ErrInvalid, m.Currency, other.Currency)
	}
	if m.Minor < 0 || other.Minor < 0 {
		return Money{}, fmt.Errorf("%w: money is never negative", ErrInvalid)
	}
	if m.Minor > math.MaxInt64-other.Minor {
		return Money{}, fmt.Errorf("%w: the amount is too large", ErrInvalid)
	}
	return Money{m.Minor + other.Minor, m.Currency}, nil
}

// MajorUnits is the number of whole major units, rounded down: 42000 kuruş are 420 lira. Loyalty
// points are counted in these.
func (m Money) MajorUnits() int64 {
	units := m.Minor
	for range m.Currency.Exponent() {
		units /= 10
	}
	return units
}

// String is for logs and people: "420.00 try".
func (m Money) String() string {
	digits := m.Currency.Exponent()
	if digits == 0 {
		return fmt.Sprintf("%d %s", m.Minor, m.Currency)
	}
	minor := m.Minor - m.MajorUnits()*pow10(digits)
	return fmt.Sprintf("%d.%0*d %s", m.MajorUnits(), digits, minor, m.Currency)
}

func pow10(n int) int64 {
	product := int64(1)
	for range n {
		product *= 10
	}
	return product
}
