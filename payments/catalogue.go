package payments

import "fmt"

// MaxAmount is the largest charge, in minor units, that the bank takes: eight digits. The source is
// Stripe's documentation of amount.
const MaxAmount = 99_999_999

// Product is one thing for sale with its price, in minor units, in every currency.
type Product struct {
	SKU    string             `json:"sku"`
	Prices map[Currency]int64 `json:"prices"`
}

// Catalogue lists what the shop sells.
func Catalogue() []Product {
	return []Product{
		{"espresso", map[Currency]int64{TRY: 9500, EUR: 250, USD: 275, JPY: 500, KWD: 850}},
		{"filter-coffee", map[Currency]int64{TRY: 42000, EUR: 820, USD: 995, JPY: 1200, KWD: 3100}},
		{"grinder", map[Currency]int64{TRY: 499990, EUR: 11999, USD: 12999, JPY: 19800, KWD: 40250}},
		{"gift-card", map[Currency]int64{TRY: 100000, EUR: 5000, USD: 5000, JPY: 5000, KWD: 15000}},
	}
}

// Item is one line of an order.
type Item struct {
	SKU      string `json:"sku"`
	Quantity int64  `json:"quantity"`
}

// MaxItems bounds the lines of one order.
const MaxItems = 50

// Price adds up the items in the given currency. An error is a [FieldError] that names the line.
func Price(items []Item, currency Currency) (Money, error) {
	total := Money{Currency: currency}
	if len(items) == 0 || len(items) > MaxItems {
		return total, InvalidField("items", "an order has 1 to %d items", MaxItems)
	}
	for i, item := range items {
		line, err := priceLine(item, currency)
		if err != nil {
			return total, err.Within(fmt.Sprintf("items[%d]", i))
		}
		sum, addErr := total.Plus(line)
		if addErr != nil || sum.Minor > MaxAmount {
			return total, InvalidField("items", "the order is over the largest charge of %d minor units", MaxAmount)
		}
		total = sum
	}
	return total, nil
}

func priceLine(item Item, currency Currency) (Money, *FieldError) {
	if item.Quantity < 1 {
		return Money{}, InvalidField("quantity", "the quantity must be a whole number from 1 up")
	}
	for _, product := range Catalogue() {
		if product.SKU != item.SKU {
			continue
		}
		line, err := Money{product.Prices[currency], currency}.Times(item.Quantity)
		if err != nil {
			return Money{}, InvalidField("quantity", "the quantity is too large")
		}
		return line, nil
	}
	return Money{}, InvalidField("sku", "no product has this sku")
}
