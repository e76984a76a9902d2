package step

import (
	"encoding/json"
	"time"
)

// Event is one row of the trace.
type Event struct {
	// ID is given at read time, in commit order, so that a reader can resume exactly after it.
	ID        int64     `json:"id"`
	At        time.Time `json:"at"`
	OrderID   string    `json:"order_id,omitempty"`
	MessageID string    `json:"message_id,omitempty"`
	// Delivery is the how-manieth delivery of the message this belongs to, from 1; 0 outside one.
	Delivery int     `json:"delivery,omitempty"`
	Process  Process `json:"process"`
	Step     Name    `json:"step"`
	Detail   Detail  `json:"detail"`
}

// Process says which start of which process did it. Pids repeat in containers; instances never do.
type Process struct {
	Role     string `json:"role"`
	Number   int    `json:"number"`
	Start    int    `json:"start"`
	Instance int64  `json:"instance"`
	PID      int    `json:"pid"`
	// Restarts is how often this number was started again since the last reset.
	Restarts int `json:"restarts,omitempty"`
}

// Detail is what an event may say besides: a closed vocabulary, empty fields left out.
type Detail struct {
	// Wire events. Outcome is charged, declined, unknown or replayed.
	From        string `json:"from,omitempty"`
	To          string `json:"to,omitempty"`
	Key         string `json:"key,omitempty"`
	Outcome     string `json:"outcome,omitempty"`
	ChargeID    string `json:"charge_id,omitempty"`
	Amount      int64  `json:"amount,omitempty"`
	Currency    string `json:"currency,omitempty"`
	RequestID   string `json:"request_id,omitempty"`
	Redelivered *bool  `json:"redelivered,omitempty"`
	Status      int    `json:"status,omitempty"`

	// Effects.
	PointsDelta int64 `json:"points_delta,omitempty"`
	Receipt     int   `json:"receipt,omitempty"`

	// How a delivery was settled: ack, retry, dead-letter; returned when that could not be confirmed.
	How    string     `json:"how,omitempty"`
	Queue  string     `json:"queue,omitempty"`
	DueAt  *time.Time `json:"due_at,omitempty"`
	Reason string     `json:"reason,omitempty"`
	// Until is when a claim's lease ends.
	Until *time.Time `json:"until,omitempty"`

	// Faults and settings.
	Point    string                     `json:"point,omitempty"`
	Action   string                     `json:"action,omitempty"`
	Fault    int64                      `json:"fault,omitempty"`
	Strategy string                     `json:"strategy,omitempty"`
	Settings map[string]json.RawMessage `json:"settings,omitempty"`
	// Advance is how far the lab's clock was moved, such as 25h0m0s.
	Advance string `json:"advance,omitempty"`
}
