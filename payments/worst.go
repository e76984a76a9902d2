package payments

import "slices"

// fromWorst ranks the verdicts: what cannot be taken back weighs most.
func fromWorst() []VerdictName {
	return []VerdictName{DoubleCharged, SaleLost, NotCharged, UnknownYet, Pending, DeclinedOnce, ChargedOnce}
}

// Worst is the verdict on several orders together, and the effects that are wrong with any of them. An
// order that was not charged while another one was is a lost sale: somebody took the two for one.
func Worst(verdicts []Verdict) (worst VerdictName, wrong []string) {
	worst, wrong = ChargedOnce, []string{}
	charged := slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Charges > 0 })
	ranks := fromWorst()
	for _, v := range verdicts {
		name := v.Verdict
		if name == NotCharged && charged {
			name = SaleLost
		}
		if slices.Index(ranks, name) < slices.Index(ranks, worst) {
			worst = name
		}
		for _, effect := range v.Effects.Wrong() {
			if !slices.Contains(wrong, effect) {
				wrong = append(wrong, effect)
			}
		}
	}
	slices.Sort(wrong)
	return worst, wrong
}
