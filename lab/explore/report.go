package explore

import (
	"slices"
	"time"
)

// Report is what the command prints and the lab shows.
type Report struct {
	Strategies  []StrategyReport `json:"strategies"`
	Bounds      Bounds           `json:"bounds"`
	Assumptions []Assumption     `json:"assumptions"`
	Commit      string           `json:"commit"`
	At          time.Time        `json:"at"`
}

// StrategyReport is one strategy's part.
type StrategyReport struct {
	Strategy  string `json:"strategy"`
	Safe      bool   `json:"safe"`
	Schedules uint64 `json:"schedules"`
	States    int    `json:"states"`
	Millis    int64  `json:"millis"`
	// AsExpected says whether exactly that was found which the guarantees say.
	AsExpected bool             `json:"as_expected"`
	Violations []Counterexample `json:"violations"`
	// Missing names what the guarantees say is broken, and the search did not find.
	Missing []string `json:"missing"`
}

// Counterexample is a violation in words.
type Counterexample struct {
	Adversary Adversary `json:"adversary"`
	Property  Property  `json:"property"`
	Expected  bool      `json:"expected"`
	Schedule  string    `json:"schedule"`
	Lines     []Line    `json:"counterexample"`
	// Rest is what follows when nothing more goes wrong; empty where nothing was on its way any more.
	Rest []Line `json:"rest"`
	// Outcomes are what is left of each order after that.
	Outcomes []Outcome `json:"outcomes"`
}

// Guarantee says what an adversary is expected to break of a strategy.
type Guarantee func(strategy string, a Adversary) []Property

// Assumption is something that "safe" rests on, besides the bounds.
type Assumption struct {
	EN string `json:"en"`
	TR string `json:"tr"`
}

// Assumptions lists them.
func Assumptions() []Assumption {
	return []Assumption{
		{"a delivery is handled within its deadline", "bir teslimat, süresi dolmadan işlenir"},
		{
			"the bank forgets a key only while no delivery is in hand, and a job of that age is known to be old",
			"banka bir anahtarı yalnızca elde teslimat yokken unutur; o yaştaki bir işin eskidiği de bilinir",
		},
		{
			"a lease outlives its holder only until the message comes back",
			"sahibi ölen bir lease ancak mesaj geri gelene kadar sürer",
		},
		{
			"combined: at most one trouble more than there are crashes, and no second purchase",
			"hepsi bir arada: en fazla çökme sayısından bir fazla aksaklık; ikinci alışveriş yok",
		},
		{
			"broker, database and bank are as this model has them; --replay compares it with real ones",
			"broker, veritabanı ve banka bu modeldeki gibidir; --replay modeli gerçekleriyle karşılaştırır",
		},
	}
}

// Describe makes the report of one strategy.
func Describe(r Result, maker Maker, expected Guarantee) (StrategyReport, error) {
	schedules, states, took := r.totals()
	report := StrategyReport{
		Strategy: r.Strategy, Safe: r.Safe(), Schedules: schedules, States: states, Millis: took.Milliseconds(),
		AsExpected: true, Violations: []Counterexample{}, Missing: []string{},
	}
	for _, s := range r.Searches {
		broken := expected(r.Strategy, s.Adversary)
		for _, v := range s.Violations {
			at := slices.Index(broken, v.Property)
			if at >= 0 {
				broken = slices.Delete(slices.Clone(broken), at, at+1)
			} else {
				report.AsExpected = false
			}
			example, err := exampleOf(maker, v, at >= 0)
			if err != nil {
				return report, err
			}
			report.Violations = append(report.Violations, example)
		}
		for _, property := range broken {
			report.AsExpected = false
			report.Missing = append(report.Missing, string(s.Adversary)+": "+string(property))
		}
	}
	return report, nil
}

func exampleOf(maker Maker, v Violation, expected bool) (Counterexample, error) {
	told, err := play(maker, v.Schedule)
	if err != nil {
		return Counterexample{}, err
	}
	lines := told.lines
	rest, err := told.rest()
	return Counterexample{
		Adversary: v.Adversary, Property: v.Property, Expected: expected, Schedule: v.Schedule.String(),
		Lines: lines, Rest: rest, Outcomes: told.state.outcomes(),
	}, err
}

// AsExpected says whether every strategy is as its guarantees say, unsafe ones included.
func (r Report) AsExpected() bool {
	return !slices.ContainsFunc(r.Strategies, func(s StrategyReport) bool { return !s.AsExpected })
}
