package step

import "time"

// Action is what a fault does to the process that reaches its point.
type Action string

// The actions at a step.
const (
	Crash      Action = "crash"      // SIGKILL to this very process
	Error      Action = "error"      // the step returns ErrInjected
	Hang       Action = "hang"       // the step waits for the fault's duration
	Hold       Action = "hold"       // it waits for others to arrive, for a release, or for the duration
	Disconnect Action = "disconnect" // the process's connection to the broker breaks
)

// The actions elsewhere.
const (
	Duplicate Action = "duplicate" // what is published goes out twice
	Now       Action = "now"       // at once, and never armed
)

// MaxWait is when a waiting step lets go by itself.
const MaxWait = 10 * time.Minute

// Fault is an armed fault. Filters that are empty match everything; the oldest match counts its skip
// first and then strikes, times times.
type Fault struct {
	// ID is given when it is armed; one that is only asked for has none.
	ID         int64  `json:"id,omitempty"`
	Point      Name   `json:"point"`
	Action     Action `json:"action"`
	Times      int    `json:"times"`
	Skip       int    `json:"skip"`
	DurationMS int64  `json:"duration_ms"`
	Account    string `json:"account,omitempty"`
	Worker     int    `json:"worker,omitempty"`
	Delivery   int    `json:"delivery,omitempty"`
	// Arrivals is how many must come to a hold before all of them go on; 0 and 1 mean nobody else.
	Arrivals int `json:"arrivals,omitempty"`
}

// Waiting is a process that stands still at a step.
type Waiting struct {
	Instance  int64     `json:"instance"`
	Step      Name      `json:"step"`
	MessageID string    `json:"message_id"`
	Since     time.Time `json:"since"`
}
