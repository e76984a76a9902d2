package payments

// VerdictName is the headline: what the bank says happened, against what was intended.
type VerdictName string

// The verdicts. Unknown means that the bank could not be asked.
const (
	ChargedOnce   VerdictName = "charged-once"
	DoubleCharged VerdictName = "double-charged"
	NotCharged    VerdictName = "not-charged"
	DeclinedOnce  VerdictName = "declined"
	Pending       VerdictName = "pending"
	UnknownYet    VerdictName = "unknown"
	// SaleLost is a verdict on several orders: an honest purchase was taken for another one.
	SaleLost VerdictName = "sale-lost"
)

// Verdict is the judgement on one order. Charges are counted at the bank, never in our own tables.
type Verdict struct {
	Verdict       VerdictName `json:"verdict"`
	Charges       int         `json:"charges"`
	Expected      int         `json:"expected"`
	AmountCharged int64       `json:"amount_charged"`
	Effects       Effects     `json:"effects"`
	// Ledger is "agrees", "missing-charge" (the bank shows one that we have not) or "extra-charge";
	// "unknown" when the bank could not be asked.
	Ledger     string `json:"ledger"`
	Deliveries int    `json:"deliveries"`
	Requests   int    `json:"requests"`
	Replayed   int    `json:"replayed"`
}

// Effects are the four things that a handled payment leaves behind.
type Effects struct {
	Charge  Effect[int64]       `json:"charge"`
	Status  Effect[OrderStatus] `json:"status"`
	Points  Effect[int64]       `json:"points"`
	Receipt Effect[int64]       `json:"receipt"`
}

// Right says whether all four effects are as they should be.
func (e Effects) Right() bool { return len(e.Wrong()) == 0 }

// Wrong names the effects that are not as they should be.
func (e Effects) Wrong() []string {
	wrong := []string{}
	for _, effect := range []struct {
		name string
		ok   bool
	}{
		{"charge", e.Charge.OK}, {"status", e.Status.OK}, {"points", e.Points.OK}, {"receipt", e.Receipt.OK},
	} {
		if !effect.ok {
			wrong = append(wrong, effect.name)
		}
	}
	return wrong
}

// Effect compares what is there with what should be.
type Effect[T comparable] struct {
	Got      T    `json:"got"`
	Expected T    `json:"expected"`
	OK       bool `json:"ok"`
}

func effect[T comparable](got, expected T) Effect[T] {
	return Effect[T]{got, expected, got == expected}
}

// Evidence is what a verdict rests on.
type Evidence struct {
	Order Order
	// Bank has the bank's charges for the order, failed ones too.
	Bank []BankLine
	// BankAnswered is false when the bank could not be asked.
	BankAnswered bool
	// Quiet says that nothing is on its way any more.
	Quiet bool
	// Deliveries are counted with the attempts, Requests and Replayed in the trace.
	Deliveries, Requests, Replayed int
}

// Judge compares the bank with the intention: one order, one charge, unless the card was declined.
func Judge(e Evidence) Verdict {
	charges, amount := succeeded(e.Bank)
	v := Verdict{
		Charges: charges, Expected: 1, AmountCharged: amount,
		Deliveries: e.Deliveries, Requests: e.Requests, Replayed: e.Replayed,
		Ledger: "unknown",
	}
	if e.BankAnswered {
		v.Ledger = compareLedger(e.Order, e.Bank)
	}
	status, points, receipt := OrderPaid, e.Order.Total().MajorUnits(), int64(1)
	if charges == 0 && len(e.Bank) > 0 {
		v.Expected, status, points, receipt = 0, OrderFailed, 0, 0
	}
	v.Effects = Effects{
		Charge:  effect(int64(charges), int64(v.Expected)),
		Status:  effect(e.Order.Status, status),
		Points:  effect(e.Order.Points, points),
		Receipt: effect(e.Order.Receipts, receipt),
	}
	v.Verdict = headline(e, v)
	return v
}

func headline(e Evidence, v Verdict) VerdictName {
	switch {
	case !e.BankAnswered:
		return UnknownYet
	case v.Charges > 1:
		return DoubleCharged // No later event takes this back.
	case !e.Quiet:
		return Pending
	case v.Charges == 1:
		return ChargedOnce
	case v.Expected == 0:
		return DeclinedOnce
	default:
		return NotCharged
	}
}

func succeeded(lines []BankLine) (charges int, amount int64) {
	for _, line := range lines {
		if line.Succeeded() {
			charges++
			amount += line.Amount
		}
	}
	return charges, amount
}

// compareLedger holds our charge ids against the bank's. A charge that we lack weighs more than one
// that we have too many, because a customer paid it.
func compareLedger(order Order, bank []BankLine) string {
	atBank := map[string]bool{}
	for _, line := range bank {
		if line.Succeeded() {
			atBank[line.ChargeID] = true
		}
	}
	verdict := "agrees"
	for _, attempt := range order.Attempts {
		if attempt.Status != AttemptPaid {
			continue
		}
		if !atBank[attempt.ChargeID] {
			verdict = "extra-charge"
		}
		delete(atBank, attempt.ChargeID)
	}
	if len(atBank) > 0 {
		return "missing-charge"
	}
	return verdict
}
