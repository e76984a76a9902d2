package payments

import "time"

// Redriven is a dead letter that a person wants to send back, and what became of that.
type Redriven struct {
	MessageID string         `json:"message_id"`
	OrderID   string         `json:"order_id"`
	Reason    string         `json:"reason"`
	LastError string         `json:"last_error"`
	At        time.Time      `json:"at"`
	Outcome   RedriveOutcome `json:"outcome"`
}

// RedriveOutcome says whether a dead letter goes back, and if not, why.
type RedriveOutcome string

// What can become of it.
const (
	// RedriveSent goes back to the queue with the same message id.
	RedriveSent RedriveOutcome = "sent"
	// RedriveSettled is refused: the payment has an end already.
	RedriveSettled RedriveOutcome = "settled"
	// RedriveTooOld is held: the bank may have forgotten the message id, and would charge under it again.
	// A person has to look the payment up there.
	RedriveTooOld RedriveOutcome = "too-old"
	// RedriveUnderWay is refused: the message was sent back before and is on its way.
	RedriveUnderWay RedriveOutcome = "under-way"
	// RedriveUnreadable is refused: the message names no payment of ours.
	RedriveUnreadable RedriveOutcome = "unreadable"
)
