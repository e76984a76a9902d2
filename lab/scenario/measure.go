package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/doublecharge/lab"
)

// Measure is the name of something that is measured after a run.
type Measure string

// The measures. Of several orders, numbers are added up, and words that differ are all given.
const (
	Nothing    Measure = "none" // the answer is a matter of reasoning
	Charges    Measure = "charges"
	Points     Measure = "points"
	Receipt    Measure = "receipt"
	Status     Measure = "status"
	Verdict    Measure = "verdict"
	Ledger     Measure = "ledger"
	Deliveries Measure = "deliveries"
	Requests   Measure = "requests"
	Replayed   Measure = "replayed"
)

// Measures lists them in the order in which they are told.
func Measures() []Measure {
	return []Measure{Verdict, Charges, Status, Points, Receipt, Ledger, Deliveries, Requests, Replayed}
}

// Value is a whole number or a word, as text. In JSON a number is a number.
type Value string

// MarshalJSON writes digits as a number.
func (v Value) MarshalJSON() ([]byte, error) {
	if _, err := strconv.ParseInt(string(v), 10, 64); err == nil {
		return []byte(v), nil
	}
	return json.Marshal(string(v))
}

// UnmarshalJSON reads a whole number or a word.
func (v *Value) UnmarshalJSON(data []byte) error {
	if _, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		*v = Value(data)
		return nil
	}
	var word string
	if err := json.Unmarshal(data, &word); err != nil || word == "" {
		return errors.New("a measured value is a whole number or a word")
	}
	*v = Value(word)
	return nil
}

// measured reads every measure of a run that is over.
func measured(run lab.Run) map[Measure]Value {
	numbers, words := map[Measure]int64{}, map[Measure][]string{}
	for _, v := range run.Verdicts {
		numbers[Charges] += int64(v.Charges)
		numbers[Points] += v.Effects.Points.Got
		numbers[Receipt] += v.Effects.Receipt.Got
		numbers[Deliveries] += int64(v.Deliveries)
		numbers[Requests] += int64(v.Requests)
		numbers[Replayed] += int64(v.Replayed)
		for measure, word := range map[Measure]string{Status: string(v.Effects.Status.Got), Ledger: v.Ledger} {
			if !slices.Contains(words[measure], word) {
				words[measure] = append(words[measure], word)
			}
		}
	}
	values := map[Measure]Value{Verdict: Value(run.Verdict)}
	for measure, n := range numbers {
		values[measure] = Value(fmt.Sprint(n))
	}
	for measure, list := range words {
		values[measure] = Value(strings.Join(list, ", "))
	}
	return values
}
