package stripetest

import "strings"

// A card is one of Stripe's test payment methods and what it does when it is charged.
type card struct {
	brand string
	last4 string
	// decline is set for a card that is always refused.
	decline decline
	// challenge is set for a card that wants its holder to authenticate, and so can only be refused
	// when the holder is away (off_session).
	challenge bool
}

// A decline is the bank's reason. Its zero value is no decline.
type decline struct {
	code        string
	declineCode string
	message     string
}

// findCard knows the names of Stripe's testing page, in its older and newer spelling: pm_card_X and
// pm_card_visa_X.
func findCard(name string) (found card, known bool) {
	name, known = strings.CutPrefix(name, "pm_card_")
	if !known {
		return card{}, false
	}
	switch name = strings.TrimPrefix(name, "visa_"); name {
	case "visa":
		return visa("4242"), true
	case "mastercard":
		return card{brand: "mastercard", last4: "4444"}, true
	case "authenticationRequired":
		return card{brand: "visa", last4: "3184", challenge: true}, true
	case "authenticationRequiredOnSetup":
		return card{brand: "visa", last4: "3155", challenge: true}, true
	case "refundFail": // The charge is fine; only a refund would fail, later.
		return visa("5126"), true
	default:
		return findRefusedCard(name)
	}
}

// findRefusedCard knows the cards that are declined whenever they are charged.
func findRefusedCard(name string) (found card, known bool) {
	switch name {
	case "chargeDeclined":
		return refused("0002", "card_declined", "generic_decline"), true
	case "chargeDeclinedInsufficientFunds":
		return refused("9995", "card_declined", "insufficient_funds"), true
	case "chargeDeclinedLostCard":
		return refused("9987", "card_declined", "lost_card"), true
	case "chargeDeclinedStolenCard":
		return refused("9979", "card_declined", "stolen_card"), true
	case "chargeDeclinedExpiredCard":
		return refused("0069", "expired_card", "expired_card"), true
	case "chargeDeclinedIncorrectCvc":
		return refused("0127", "incorrect_cvc", "incorrect_cvc"), true
	case "chargeDeclinedProcessingError":
		return refused("0119", "processing_error", "processing_error"), true
	case "chargeDeclinedVelocityLimitExceeded":
		return refused("6975", "card_declined", "card_velocity_exceeded"), true
	case "chargeDeclinedFraudulent":
		return refused("0019", "card_declined", "fraudulent"), true
	case "chargeCustomerFail":
		return refused("0341", "card_declined", "generic_decline"), true
	default:
		return card{}, false
	}
}

func visa(last4 string) card { return card{brand: "visa", last4: last4} }

func refused(last4, code, declineCode string) card {
	c := visa(last4)
	c.decline = newDecline(code, declineCode)
	return c
}

func newDecline(code, declineCode string) decline {
	d := decline{code: code, declineCode: declineCode, message: "Your card was declined."}
	switch declineCode {
	case "insufficient_funds":
		d.message = "Your card has insufficient funds."
	case "expired_card":
		d.message = "Your card has expired."
	case "incorrect_cvc":
		d.message = "Your card's security code is incorrect."
	case "processing_error":
		d.message = "An error occurred while processing your card. Try again in a little bit."
	case "card_velocity_exceeded":
		d.message = "Your card was declined for making repeated attempts too frequently or exceeding its amount limit."
	case "authentication_required":
		d.message = "Your card was declined. This transaction requires authentication."
	}
	return d
}

// attempt charges the card: it either needs its holder, or is refused, or pays.
func (c card) attempt(offSession bool) (needsHolder bool, refusal decline) {
	switch {
	case c.challenge && !offSession:
		return true, decline{}
	case c.challenge:
		return false, newDecline("authentication_required", "authentication_required")
	default:
		return false, c.decline
	}
}
