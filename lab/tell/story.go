package tell

import (
	"fmt"
	"slices"
	"time"

	"example.com/doublecharge/payments/step"
)

// Story turns the events of one run into rows, in the order of their ids. Rows are only ever added at the
// end, so that they can be drawn while the run is still going on. The zero value is ready.
type Story struct {
	rows      []Row
	published int
	charges   int
	// outcome is the bank's last answer.
	outcome string
	// dead are the processes that were killed and are not back yet.
	dead []string
}

// Read takes the next event. ok is false where it is folded into the row before, or is none of the story's.
func (s *Story) Read(e step.Event) (row Row, ok bool) {
	row, ok = s.read(e)
	if ok {
		row.process = e.Process
		s.rows = append(s.rows, row)
	}
	return row, ok
}

func (s *Story) read(e step.Event) (Row, bool) {
	switch e.Step {
	case step.HTTPRequest:
		return Row{Kind: "sameOrder"}, e.Detail.To != "api" && e.Detail.Outcome == "replayed"
	case step.BrokerPublish:
		return s.publish(e), true
	case step.BrokerDeliver:
		return deliver(e), true
	case step.StripeCharge:
		return s.charge(e), true
	case step.StripeFind:
		return s.find(e), true
	case step.MailSent:
		return Row{Kind: "mail", From: Ledger, To: Shop}, true
	case step.FaultFired:
		return s.fault(e)
	case step.ProcessStarted:
		return s.started(e)
	case step.ClockAdvanced:
		return clock(e)
	default:
		return s.worker(e)
	}
}

// worker reads what the worker does besides its calls.
func (s *Story) worker(e step.Event) (Row, bool) {
	switch e.Step {
	case step.WorkerChecked: // A look at the bank has its own row already.
		answered := s.last().Kind == "found" || s.last().Kind == "notfound"
		asked := answered && s.last().process.Instance == e.Process.Instance
		return Row{Kind: "look", From: Worker, To: Ledger}, !asked
	case step.LedgerEffects:
		if s.outcome == "declined" {
			return Row{Kind: "decision", From: Worker, To: Ledger}, true
		}
		return Row{Kind: "effects", From: Worker, To: Ledger, Args: Args{"points": e.Detail.PointsDelta}}, true
	case step.WorkerApplied:
		last := s.last()
		last.applied = true
		return Row{Kind: "decision", From: Worker, To: Ledger}, !s.wrote(e)
	case step.WorkerRecorded: // With the effects in one transaction, or by itself.
		return Row{Kind: "mark", From: Worker, To: Ledger}, !s.wrote(e) || s.last().applied
	case step.WorkerAcked:
		return Row{Kind: "ack", From: Worker, To: Queue}, true
	case step.WorkerSettled:
		kind := map[string]string{"retry": "retry", "dead-letter": "dead"}[e.Detail.How]
		return Row{Kind: kind, From: Worker, To: Queue, Tone: Warn}, kind != ""
	default:
		return Row{}, false
	}
}

// last is the row before; a row of nothing where there is none.
func (s *Story) last() *Row {
	if len(s.rows) == 0 {
		return &Row{}
	}
	return &s.rows[len(s.rows)-1]
}

// wrote says that the row before is what this very process wrote to the order.
func (s *Story) wrote(e step.Event) bool {
	last := s.last()
	return (last.Kind == "effects" || last.Kind == "decision") && last.process.Instance == e.Process.Instance
}

func (s *Story) publish(e step.Event) Row {
	s.published++
	row := Row{Kind: "sent", From: Shop, To: Queue, Tag: message(e), TagKind: "id"}
	if s.published > 1 {
		row.Kind, row.Tone = "publishAgain", Warn
	}
	return row
}

func deliver(e step.Event) Row {
	row := Row{
		Kind: "deliver", From: Queue, To: Worker, Args: Args{"n": max(1, e.Delivery)},
		Tag: message(e), TagKind: "id",
	}
	if e.Detail.Redelivered != nil && *e.Detail.Redelivered {
		row.Kind, row.Tone = "redeliver", Warn
	}
	return row
}

func message(e step.Event) string {
	if e.Detail.Key != "" {
		return e.Detail.Key
	}
	return e.MessageID
}

func (s *Story) charge(e step.Event) Row {
	if e.Detail.Outcome == "" {
		return Row{Kind: "charge", From: Worker, To: Bank, Tag: e.Detail.Key, TagKind: "key"}
	}
	s.outcome = e.Detail.Outcome
	row := Row{Kind: e.Detail.Outcome, From: Bank, To: Worker, Args: Args{"id": Tail(e.Detail.ChargeID)}}
	switch e.Detail.Outcome {
	case "charged":
		s.charges++
		if s.charges > 1 {
			row.Tone = Bad
		}
	case "replayed":
		row.Tone = Stored
	case "declined":
	default:
		row.Kind, row.Tone = "unknown", Unsure
	}
	return row
}

// find is the question whether the bank has the charge already, or its answer.
func (s *Story) find(e step.Event) Row {
	if e.Detail.From == "worker" {
		return Row{Kind: "find", From: Worker, To: Bank}
	}
	row := Row{Kind: "found", From: Bank, To: Worker, Args: Args{"id": Tail(e.Detail.ChargeID)}, Tone: Stored}
	switch e.Detail.Outcome {
	case "":
		row.Kind, row.Tone = "notfound", Plain
	case "unknown":
		row.Kind, row.Tone = "unknown", Unsure
	default:
		s.outcome = e.Detail.Outcome
	}
	return row
}

// clock tells how far the lab's clock was moved. The bank forgets keys by it.
func clock(e step.Event) (Row, bool) {
	d, err := time.ParseDuration(e.Detail.Advance)
	return Row{Kind: "clock", From: Bank, To: Bank, Args: Args{"hours": int(d.Hours())}, Tone: Warn}, err == nil
}

// fault tells what was broken. What is done to a call shows in the call's own answer.
func (s *Story) fault(e step.Event) (Row, bool) {
	if step.Name(e.Detail.Point) == step.RedisFlush {
		return Row{Kind: "flush", From: Ledger, To: Ledger, Tone: Warn}, true
	}
	lane := laneOf(e.Process)
	row := Row{Kind: e.Detail.Action, From: lane, To: lane, Tone: Warn, Args: Args{
		"role": e.Process.Role, "pid": e.Process.PID, "point": e.Detail.Point,
	}}
	switch step.Action(e.Detail.Action) {
	case step.Crash:
		s.dead = append(s.dead, who(e.Process))
		row.Tone = Bad
	case step.Hang, step.Hold, step.Error, step.Disconnect, step.Duplicate:
	default:
		return row, false
	}
	return row, true
}

// started tells of the return of a process whose death was told.
func (s *Story) started(e step.Event) (Row, bool) {
	at := slices.Index(s.dead, who(e.Process))
	if at < 0 {
		return Row{}, false
	}
	s.dead = slices.Delete(s.dead, at, at+1)
	lane := laneOf(e.Process)
	return Row{Kind: "start", From: lane, To: lane, Args: Args{
		"role": e.Process.Role, "start": e.Process.Start, "pid": e.Process.PID,
	}}, true
}

func who(p step.Process) string { return fmt.Sprintf("%s/%d", p.Role, p.Number) }
