package step

import "encoding/json"

// RunSpec is one experiment: orders that are bought while faults are armed, in a lane of its own.
type RunSpec struct {
	Strategy string  `json:"strategy"`
	Faults   []Fault `json:"faults"`
	// Orders is how many are bought at once, by the same customer, of the same thing, in one trace.
	Orders   int        `json:"orders"`
	Settings Change     `json:"settings"`
	Then     []Reaction `json:"then,omitempty"`
}

// Reaction is something to do once something has come about. Reactions follow one another.
type Reaction struct {
	// On is "quiet" or "step.waiting".
	On Name `json:"on"`
	// Do is "clock", "redeliver", "step" or "redis.flush".
	Do   Name         `json:"do"`
	With ReactionWith `json:"with,omitzero"`
}

// ReactionWith says more of a reaction; each field belongs to one of them.
type ReactionWith struct {
	// Advance is how far the clock moves, such as "25h".
	Advance string `json:"advance,omitempty"`
	// Times is how often the message is sent again. Defaults to 1.
	Times int `json:"times,omitempty"`
	// Waiting is how many processes must stand still before "step" lets all of them go. Defaults to 1.
	Waiting int `json:"waiting,omitempty"`
	// Second lets them go at the beginning of a second, so that they share it.
	Second bool `json:"second,omitempty"`
}

// The reactions.
const (
	OnQuiet      Name = "quiet"
	DoClock      Name = "clock"
	DoRedeliver  Name = "redeliver"
	DoStep       Name = "step"
	DoRedisFlush Name = "redis.flush"
)

// MatrixSpec says which cells of the matrix to run; empty lists mean all.
type MatrixSpec struct {
	Strategies []string `json:"strategy"`
	Faults     []string `json:"fault"`
	All        bool     `json:"all"`
}

// ExploreSpec says what to search and how far.
type ExploreSpec struct {
	Strategies []string `json:"strategy"`
	Crashes    int      `json:"crashes"`
	Deliveries int      `json:"deliveries"`
	Workers    int      `json:"workers"`
}

// ScenarioSpec says which scenario to play.
type ScenarioSpec struct {
	Scenario string `json:"scenario"`
}

// JobKind is a kind of work that the lab does by itself, outside any request.
type JobKind string

// The kinds of jobs.
const (
	RunJob      JobKind = "run"
	MatrixJob   JobKind = "matrix"
	ExploreJob  JobKind = "explore"
	ScenarioJob JobKind = "scenario"
)

// Job is such a piece of work. Document is what is shown of it; it grows while the job runs.
type Job struct {
	ID       string
	Kind     JobKind
	Spec     json.RawMessage
	Document json.RawMessage
}
