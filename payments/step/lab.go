package step

import "time"

// Settings are the switches of the lab. The strategy is taken into an attempt at its checkout and
// travels with the message, so a switch affects new orders only.
type Settings struct {
	Strategy string  `json:"strategy"`
	Checkout string  `json:"checkout"`
	Enqueue  string  `json:"enqueue"`
	Workers  int     `json:"workers"`
	SlowMS   int64   `json:"slow_ms"`
	Step     bool    `json:"step"`
	RetryMS  []int64 `json:"retry_ms"`
	LeaseMS  int64   `json:"lease_ms"`
}

// DefaultSettings are those of a fresh lab.
func DefaultSettings() Settings {
	return Settings{
		Strategy: "seen-set-and-key", Checkout: "same-transaction", Enqueue: "outbox",
		Workers: 1, RetryMS: []int64{500, 2000, 10000}, LeaseMS: 5000,
	}
}

// Change is a partial change of the settings: nil leaves a setting as it is.
type Change struct {
	Strategy *string  `json:"strategy,omitempty"`
	Checkout *string  `json:"checkout,omitempty"`
	Enqueue  *string  `json:"enqueue,omitempty"`
	Workers  *int     `json:"workers,omitempty"`
	SlowMS   *int64   `json:"slow_ms,omitempty"`
	Step     *bool    `json:"step,omitempty"`
	RetryMS  *[]int64 `json:"retry_ms,omitempty"`
	LeaseMS  *int64   `json:"lease_ms,omitempty"`
}

// State is what the lab shows of itself.
type State struct {
	Settings  Settings  `json:"settings"`
	Faults    []Fault   `json:"faults"`
	Version   string    `json:"version"`
	Waiting   []Waiting `json:"waiting"`
	Processes []Process `json:"processes"`
	Stripe    Stripe    `json:"stripe"`
	Servers   Servers   `json:"servers"`
	Queues    []Queue   `json:"queues"`
	Quiet     bool      `json:"quiet"`
}

// Stripe says which bank is at the other end: "emulator" or "test".
type Stripe struct {
	Mode string `json:"mode"`
	Base string `json:"base"`
}

// Servers are the addresses of servers that the demo started itself, and of no others.
type Servers struct {
	Database string `json:"database"`
	AMQP     string `json:"amqp"`
	Redis    string `json:"redis"`
}

// Queue is a queue by the broker's own name.
type Queue struct {
	Name    string `json:"name"`
	Ready   int    `json:"ready"`
	Unacked int    `json:"unacked"`
}

// Part is one thing that readiness waits for.
type Part struct {
	Name       string `json:"name"`
	Ready      bool   `json:"ready"`
	WaitingFor string `json:"waiting_for"`
	Seconds    int64  `json:"seconds"`
}

// Clock is the lab's offset: it moves the bank's time and the worker's view of a job's age, nothing else.
type Clock struct {
	Offset string    `json:"offset"`
	Now    time.Time `json:"now"`
}
