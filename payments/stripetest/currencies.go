package stripetest

// The largest amount has eight digits, in whatever currency.
const maxAmount = 99_999_999

// A currencyRule says which amounts, in minor units, a currency takes.
type currencyRule struct {
	min  int64
	step int64
}

// findCurrency knows the currencies of the emulated account. Where no minimum of a currency's own is
// known, Stripe converts to the settlement currency; the emulator has no rates and takes one unit.
func findCurrency(code string) (rule currencyRule, known bool) {
	switch code {
	case "usd", "eur", "cad", "aud", "chf", "nzd", "sgd", "brl", "inr":
		return currencyRule{min: 50, step: 1}, true
	case "gbp":
		return currencyRule{min: 30, step: 1}, true
	case "jpy": // Zero-decimal: 50 yen, not 50 hundredths of one.
		return currencyRule{min: 50, step: 1}, true
	case "pln", "myr", "aed":
		return currencyRule{min: 200, step: 1}, true
	case "dkk":
		return currencyRule{min: 250, step: 1}, true
	case "nok", "sek":
		return currencyRule{min: 300, step: 1}, true
	case "hkd":
		return currencyRule{min: 400, step: 1}, true
	case "mxn", "thb":
		return currencyRule{min: 1000, step: 1}, true
	case "bhd", "jod", "kwd", "omr", "tnd": // Three decimals, of which the networks carry two.
		return currencyRule{min: 10, step: 10}, true
	case "isk": // Sent with two decimals that must be zero, for the sake of old clients.
		return currencyRule{min: 100, step: 100}, true
	case "try", "bgn", "cny", "czk", "egp", "huf", "idr", "ils", "php", "ron", "sar", "twd", "uah", "zar":
		return currencyRule{min: 1, step: 1}, true
	case "bif", "clp", "djf", "gnf", "kmf", "krw", "mga", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof", "xpf":
		return currencyRule{min: 1, step: 1}, true // Zero-decimal.
	default:
		return currencyRule{}, false
	}
}

// readMoney reads amount and currency, which are only right or wrong together.
func readMoney(r *reader) (amount int64, currency string) {
	r.required("amount")
	if n := r.integer("amount"); n != nil {
		amount = *n
	}
	currency = r.required("currency")
	rule, known := findCurrency(currency)
	switch {
	case !known:
		r.fail(invalid("", "currency", "Invalid currency: %s. It must be a supported code in lower case.", currency))
	case amount < 1:
		r.fail(invalid("parameter_invalid_integer", "amount", "This value must be greater than or equal to 1."))
	case amount < rule.min:
		r.fail(invalid("amount_too_small", "amount", "Amount must be at least %d %s in minor units.",
			rule.min, currency))
	case amount > maxAmount:
		r.fail(invalid("amount_too_large", "amount", "Amount must be no more than %d %s in minor units.",
			maxAmount, currency))
	case amount%rule.step != 0:
		r.fail(invalid("parameter_invalid_integer", "amount", "An amount in %s must be divisible by %d.",
			currency, rule.step))
	}
	return amount, currency
}
