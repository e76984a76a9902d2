package catalogue

import (
	"slices"
	"strings"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker/strategy"
)

// Strategies describes every strategy, in the order of the lesson.
func Strategies() ([]step.StrategyInfo, error) {
	var list []step.StrategyInfo
	for _, id := range strategy.IDs() {
		info, err := describe(id)
		if err != nil {
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

func describe(id string) (step.StrategyInfo, error) {
	source, lines, doc, err := read(id)
	if err != nil {
		return step.StrategyInfo{}, err
	}
	maker, _ := explore.MakerOf(id)
	profile := explore.ProfileOf(maker)
	all, err := texts()
	if err != nil {
		return step.StrategyInfo{}, err
	}
	w, known := all[id]
	if !known { // A reader's own: its name, and what it says of itself.
		said := Text{EN: doc, TR: doc}
		w = words{Text{EN: id, TR: id}, said, said}
	}
	info := step.StrategyInfo{
		ID: id, Title: step.Text(w.Title), Summary: step.Text(w.Idea), After: step.Text(w.After),
		Source: source, Lines: lines,
		Windows: windows(id, profile), Survives: survives(id, profile), Cells: row(id),
	}
	for _, name := range profile.Steps {
		info.Steps = append(info.Steps, step.Name(name))
	}
	return info, nil
}

// windows are the steps at which a crash does harm, each up to the next step.
func windows(id string, p explore.Profile) []step.Window {
	list := []step.Window{}
	for i, at := range p.Steps {
		expected, known := Expected(id, "crash:"+at)
		if !known || len(expected.Wrong) == 0 {
			continue
		}
		to := ""
		if i+1 < len(p.Steps) {
			to = p.Steps[i+1]
		}
		list = append(list, step.Window{
			From: step.Name(at), To: step.Name(to), Effect: strings.Join(expected.Wrong, ", "),
			Harm: step.Text(expected.Reason),
		})
	}
	return list
}

// row is what is expected of a strategy, fault by fault.
func row(id string) []step.ExpectedCell {
	list := []step.ExpectedCell{}
	for _, column := range Columns() {
		expected, known := Expected(id, column.ID)
		if !known || !expected.Applicable {
			continue
		}
		list = append(list, step.ExpectedCell{
			Fault: column.ID, Adversary: string(column.Adversary), Title: step.Text(column.Title),
			Verdict: string(expected.Verdict), Wrong: append([]string{}, expected.Wrong...),
			Reason: step.Text(expected.Reason),
		})
	}
	return list
}

// survives lists the adversaries that have to do with the strategy and break nothing of it.
func survives(id string, p explore.Profile) []string {
	list := []string{}
	for _, a := range explore.Adversaries() {
		broken, known := Guarantee(id, a)
		if known && p.Applies(a) && len(broken) == 0 {
			list = append(list, string(a))
		}
	}
	return slices.Clip(list)
}
