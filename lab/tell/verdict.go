package tell

import (
	"fmt"
	"strings"

	"example.com/doublecharge/payments"
)

// Verdict tells what the bank says happened: the headline, and the four effects as they are beside what was
// expected. Amount is what the order costs.
func Verdict(w Words, p Paint, v payments.Verdict, amount payments.Money) []string {
	tone, sign, title, sub := headline(w, v, amount)
	lines := []string{
		p.In(Strong, w.T("verdict.title")),
		"  " + p.In(tone, sign+" "+title) + sub,
		"",
	}
	for _, e := range effects(w, v) {
		mark := p.In(Good, "✓")
		if !e.ok {
			mark = p.In(tone, "✗")
		}
		expected := p.In(Faint, e.expected)
		lines = append(lines, fmt.Sprintf("  %s %s %s %s", mark, fill(e.name, 8), fill(e.got, 14), expected))
	}
	return lines
}

// headline is green only when all four effects are right.
func headline(w Words, v payments.Verdict, amount payments.Money) (tone Tone, sign, title, sub string) {
	args := Args{"n": v.Charges, "d": v.Deliveries}
	say := func(tone Tone, sign, title, sub string) (Tone, string, string, string) {
		if sub != "" {
			sub = "  " + w.T(sub, args)
		}
		return tone, sign, w.T(title, args), sub
	}
	wrong := v.Effects.Wrong()
	switch v.Verdict {
	case payments.DoubleCharged:
		extra := payments.Money{Minor: v.AmountCharged - int64(v.Expected)*amount.Minor, Currency: amount.Currency}
		args["amount"] = w.Amount(extra)
		if v.Charges > 2 {
			return say(Bad, "✗", "verdict.many", "verdict.double.sub")
		}
		return say(Bad, "✗", "verdict.double", "verdict.double.sub")
	case payments.ChargedOnce:
		return once(v, wrong, args, w, say)
	case payments.NotCharged:
		return say(Warn, "∅", "verdict.none", "verdict.none.sub")
	case payments.DeclinedOnce:
		return say(Plain, "⊘", "verdict.declined", "verdict.declined.sub")
	case payments.UnknownYet:
		return say(Unsure, "?", "verdict.unknown", "")
	default:
		return say(Plain, "…", "verdict.pending", "")
	}
}

// once tells of one charge, which may be all that is right.
func once(v payments.Verdict, wrong []string, args Args, w Words,
	say func(tone Tone, sign, title, sub string) (Tone, string, string, string),
) (tone Tone, sign, title, sub string) {
	switch {
	case onlyLetters(v):
		args["got"] = v.Effects.Receipt.Got
		if v.Effects.Receipt.Got == 2 {
			return say(Warn, "!", "verdict.receipts", "verdict.receipts.sub")
		}
		return say(Warn, "!", "verdict.receipts.many", "verdict.receipts.sub")
	case len(wrong) > 0:
		args["effect"] = w.T("effect.in." + wrong[0])
		return say(Bad, "!", "verdict.onceBut", "")
	case v.Deliveries == 1:
		return say(Good, "✓", "verdict.once", "verdict.once.sub.one")
	default:
		return say(Good, "✓", "verdict.once", "verdict.once.sub")
	}
}

// onlyLetters: the receipt went out too often, and nothing else is wrong. Mail can be sent twice.
func onlyLetters(v payments.Verdict) bool {
	return v.Verdict == payments.ChargedOnce && v.Effects.Receipt.Got > v.Effects.Receipt.Expected &&
		strings.Join(v.Effects.Wrong(), "") == "receipt"
}

// told is one effect in words.
type told struct {
	name, got, expected string
	ok                  bool
}

func effects(w Words, v payments.Verdict) []told {
	number := func(name string, e payments.Effect[int64]) told {
		expected := w.T("effect.expected", Args{"value": e.Expected})
		return told{w.T("effect." + name), fmt.Sprint(e.Got), expected, e.OK}
	}
	status := v.Effects.Status
	return []told{
		number("charge", v.Effects.Charge),
		{
			w.T("effect.status"), w.T("status." + string(status.Got)),
			w.T("effect.expected", Args{"value": w.T("status." + string(status.Expected))}), status.OK,
		},
		number("points", v.Effects.Points),
		number("receipt", v.Effects.Receipt),
	}
}

// Why is the key of the one sentence that says why, for a run whose strategy has no words of its own for it.
func Why(v payments.Verdict, strategy string) string {
	switch v.Verdict {
	case payments.DoubleCharged:
		if strategy == "naive" {
			return "why.1"
		}
		return "why.2"
	case payments.ChargedOnce:
		switch {
		case onlyLetters(v):
			return "why.receipts"
		case !v.Effects.Right():
			return "why.effect"
		case v.Replayed > 0:
			return "why.3"
		case v.Deliveries > 1:
			return "why.safe"
		default:
			return "why.once"
		}
	case payments.NotCharged:
		return "why.none"
	case payments.DeclinedOnce:
		return "why.declined"
	default:
		return "why.unknown"
	}
}
