package scenario

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

//go:embed scenarios/*.json chapters.json words.json
var files embed.FS

// Chapter is a part of the lessons.
type Chapter struct {
	ID    string    `json:"id"`
	Title step.Text `json:"title"`
}

// Lesson is a plan: which scenarios, in which order.
type Lesson struct {
	ID    string   `json:"id"`
	Steps []string `json:"steps"`
}

// List is everything that can be taught, as it is shown over HTTP.
type List struct {
	Plans     []Lesson   `json:"plans"`
	Chapters  []Chapter  `json:"chapters"`
	Scenarios []Scenario `json:"scenarios"`
}

// All reads every scenario: those of the plan in its order, then the others by name.
func All() ([]Scenario, error) {
	chapters, err := Chapters()
	if err != nil {
		return nil, err
	}
	paths, err := fs.Glob(files, "scenarios/*.json")
	if err != nil {
		return nil, err
	}
	var list []Scenario
	for _, path := range paths {
		var s Scenario
		if err := read(path, &s); err != nil {
			return nil, err
		}
		s.complete()
		if err := s.validate(chapters); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b Scenario) int { return cmp.Compare(a.place(), b.place()) })
	return list, nil
}

// read decodes a file strictly: a field that nobody knows is a mistake.
func read(path string, into any) error {
	data, err := files.ReadFile(path)
	if err == nil {
		err = decode(data, into)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

func decode(data []byte, into any) error {
	return json.Unmarshal(data, into, json.RejectUnknownMembers(true))
}

// Chapters lists the chapters in their order.
func Chapters() ([]Chapter, error) {
	var list []Chapter
	err := read("chapters.json", &list)
	return list, err
}

// Everything is the whole list.
func Everything() (List, error) {
	scenarios, err := All()
	if err != nil {
		return List{}, err
	}
	list := List{Scenarios: scenarios}
	plans := map[string]bool{}
	for _, s := range scenarios {
		for id := range s.Plan {
			plans[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(plans)) {
		lesson := Lesson{ID: id}
		for _, s := range planOf(scenarios, id) {
			lesson.Steps = append(lesson.Steps, s.Name)
		}
		list.Plans = append(list.Plans, lesson)
	}
	list.Chapters, err = Chapters()
	return list, err
}

// Plan lists the scenarios of a plan in its order.
func Plan(id string) ([]Scenario, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	steps := planOf(all, id)
	if len(steps) == 0 {
		return nil, fmt.Errorf("%w: there is no plan %q", payments.ErrNotFound, id)
	}
	return steps, nil
}

func planOf(all []Scenario, id string) []Scenario {
	steps := slices.DeleteFunc(slices.Clone(all), func(s Scenario) bool { return s.Plan[id].Step == 0 })
	slices.SortFunc(steps, func(a, b Scenario) int { return cmp.Compare(a.Plan[id].Step, b.Plan[id].Step) })
	return steps
}

// Short leaves those of a plan's scenarios that alone are a complete lesson.
func Short(scenarios []Scenario, plan string) []Scenario {
	return slices.DeleteFunc(slices.Clone(scenarios), func(s Scenario) bool { return !s.Plan[plan].Short })
}

// Named finds a scenario. For a name that there is not, the error tells which are near.
func Named(name string) (Scenario, error) {
	all, err := All()
	if err != nil {
		return Scenario{}, err
	}
	var names []string
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Scenario{}, fmt.Errorf("%w: there is no scenario %q; near are %s", payments.ErrNotFound, name,
		strings.Join(near(name, names), ", "))
}

// place is the first step at which it stands in any plan, and far behind where it stands in none.
func (s *Scenario) place() int {
	const nowhere = 1000
	first := nowhere
	for _, place := range s.Plan {
		first = min(first, place.Step)
	}
	return first
}

// complete fills in what a request to the lab may leave out, as the lab does.
func (s *Scenario) complete() {
	for i := range s.Runs {
		spec := &s.Runs[i].Spec
		spec.Orders = cmp.Or(spec.Orders, 1)
		for j := range spec.Faults {
			fault := &spec.Faults[j]
			fault.Times = cmp.Or(fault.Times, 1)
			fault.DurationMS = cmp.Or(fault.DurationMS, 2000)
		}
	}
}
