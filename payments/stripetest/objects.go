package stripetest

// nullable is a string that JSON shows as null where there is none.
func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// A PaymentIntent is Stripe's object for one purchase, through all attempts to pay for it. Objects
// are never changed once they are in a bank: a change is a new object with the same id.
type PaymentIntent struct {
	ID                        string            `json:"id"`
	Object                    string            `json:"object"`
	Amount                    int64             `json:"amount"`
	AmountCapturable          int64             `json:"amount_capturable"`
	AmountReceived            int64             `json:"amount_received"`
	AutomaticPaymentMethods   *automaticMethods `json:"automatic_payment_methods"`
	CanceledAt                *int64            `json:"canceled_at"`
	CancellationReason        *string           `json:"cancellation_reason"`
	CaptureMethod             string            `json:"capture_method"`
	ClientSecret              string            `json:"client_secret"`
	ConfirmationMethod        string            `json:"confirmation_method"`
	Created                   int64             `json:"created"`
	Currency                  string            `json:"currency"`
	Customer                  *string           `json:"customer"`
	Description               *string           `json:"description"`
	LastPaymentError          *apiError         `json:"last_payment_error"`
	LatestCharge              *string           `json:"latest_charge"`
	Livemode                  bool              `json:"livemode"`
	Metadata                  map[string]string `json:"metadata"`
	NextAction                *nextAction       `json:"next_action"`
	PaymentMethod             *string           `json:"payment_method"`
	PaymentMethodTypes        []string          `json:"payment_method_types"`
	ReceiptEmail              *string           `json:"receipt_email"`
	Shipping                  *struct{}         `json:"shipping"`
	StatementDescriptorSuffix *string           `json:"statement_descriptor_suffix"`
	Status                    string            `json:"status"`
	TransferData              *struct{}         `json:"transfer_data"`
}

type automaticMethods struct {
	AllowRedirects string `json:"allow_redirects"`
	Enabled        bool   `json:"enabled"`
}

type nextAction struct {
	Type         string   `json:"type"`
	UseStripeSDK struct{} `json:"use_stripe_sdk"`
}

// A Charge is one attempt at a card, paid or failed.
type Charge struct {
	ID                   string               `json:"id"`
	Object               string               `json:"object"`
	Amount               int64                `json:"amount"`
	AmountCaptured       int64                `json:"amount_captured"`
	AmountRefunded       int64                `json:"amount_refunded"`
	BalanceTransaction   *string              `json:"balance_transaction"`
	BillingDetails       billingDetails       `json:"billing_details"`
	Captured             bool                 `json:"captured"`
	Created              int64                `json:"created"`
	Currency             string               `json:"currency"`
	Customer             *string              `json:"customer"`
	Description          *string              `json:"description"`
	Disputed             bool                 `json:"disputed"`
	FailureCode          *string              `json:"failure_code"`
	FailureMessage       *string              `json:"failure_message"`
	Livemode             bool                 `json:"livemode"`
	Metadata             map[string]string    `json:"metadata"`
	Outcome              outcome              `json:"outcome"`
	Paid                 bool                 `json:"paid"`
	PaymentIntent        *string              `json:"payment_intent"`
	PaymentMethod        *string              `json:"payment_method"`
	PaymentMethodDetails paymentMethodDetails `json:"payment_method_details"`
	Refunded             bool                 `json:"refunded"`
	Status               string               `json:"status"`
}

type outcome struct {
	NetworkStatus string  `json:"network_status"`
	Reason        *string `json:"reason"`
	RiskLevel     string  `json:"risk_level"`
	SellerMessage string  `json:"seller_message"`
	Type          string  `json:"type"`
}

type paymentMethodDetails struct {
	Card cardDetails `json:"card"`
	Type string      `json:"type"`
}

type cardDetails struct {
	Brand    string `json:"brand"`
	Country  string `json:"country"`
	ExpMonth int    `json:"exp_month"`
	ExpYear  int    `json:"exp_year"`
	Funding  string `json:"funding"`
	Last4    string `json:"last4"`
}

type paymentMethod struct {
	ID             string         `json:"id"`
	Object         string         `json:"object"`
	BillingDetails billingDetails `json:"billing_details"`
	Card           cardDetails    `json:"card"`
	Created        int64          `json:"created"`
	Customer       *string        `json:"customer"`
	Livemode       bool           `json:"livemode"`
	Type           string         `json:"type"`
}

// billingDetails stay empty: the emulator is told nothing about the payer.
type billingDetails struct {
	Address struct {
		City       *string `json:"city"`
		Country    *string `json:"country"`
		Line1      *string `json:"line1"`
		Line2      *string `json:"line2"`
		PostalCode *string `json:"postal_code"`
		State      *string `json:"state"`
	} `json:"address"`
	Email *string `json:"email"`
	Name  *string `json:"name"`
	Phone *string `json:"phone"`
}

// details shows a card that is good until the end of the year after next.
func (c card) details(year int) cardDetails {
	return cardDetails{
		Brand: c.brand, Country: "US", ExpMonth: 12, ExpYear: year + 2, Funding: "credit", Last4: c.last4,
	}
}
