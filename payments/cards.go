package payments

import "slices"

// Cards lists the test payment methods that the shop takes. They behave alike at the emulator and in
// Stripe's test mode; both spellings of the declining ones occur in Stripe's documentation.
func Cards() []string {
	return []string{
		"pm_card_visa",
		"pm_card_mastercard",
		"pm_card_chargeDeclined",
		"pm_card_visa_chargeDeclined",
		"pm_card_chargeDeclinedInsufficientFunds",
		"pm_card_visa_chargeDeclinedInsufficientFunds",
		"pm_card_chargeDeclinedLostCard",
		"pm_card_visa_chargeDeclinedLostCard",
		"pm_card_chargeDeclinedStolenCard",
		"pm_card_visa_chargeDeclinedStolenCard",
		"pm_card_chargeDeclinedExpiredCard",
		"pm_card_chargeDeclinedIncorrectCvc",
		"pm_card_chargeDeclinedProcessingError",
		"pm_card_visa_chargeDeclinedVelocityLimitExceeded",
		"pm_card_chargeDeclinedFraudulent",
		"pm_card_chargeCustomerFail",
		"pm_card_authenticationRequired",
	}
}

// CheckCard accepts the cards of [Cards].
func CheckCard(name string) error {
	if slices.Contains(Cards(), name) {
		return nil
	}
	return InvalidField("payment_method", "must be one of Stripe's test cards, such as pm_card_visa")
}
