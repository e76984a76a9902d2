package step

// Name is a stable id of a step or of another event of the trace.
type Name string

// The steps of a checkout. Written stands between the pipeline and its COMMIT; committed comes before
// the answer is sent.
const (
	APIReceived  Name = "api.received"
	APIWritten   Name = "api.written"
	APICommitted Name = "api.committed"
)

// The steps of the relay, once per outbox row. Published comes before the mark.
const (
	RelayClaimed   Name = "relay.claimed"
	RelayPublished Name = "relay.published"
	RelayMarked    Name = "relay.marked"
)

// The steps of the worker. The window of the story is charged. Applied means that the local effects
// are committed and the mark is not yet; recorded that the mark, or mark and effects together, are.
const (
	WorkerReceived Name = "worker.received"
	WorkerChecked  Name = "worker.checked"
	WorkerCharging Name = "worker.charging"
	WorkerCharged  Name = "worker.charged"
	WorkerApplied  Name = "worker.applied"
	WorkerRecorded Name = "worker.recorded"
	WorkerAcked    Name = "worker.acked"
)

// The steps of the mailer. Sent comes before the mark.
const (
	MailClaimed Name = "mail.claimed"
	MailSent    Name = "mail.sent"
	MailMarked  Name = "mail.marked"
)

// Names lists every step in the order of a payment's life.
func Names() []Name {
	return []Name{
		APIReceived, APIWritten, APICommitted,
		RelayClaimed, RelayPublished, RelayMarked,
		WorkerReceived, WorkerChecked, WorkerCharging, WorkerCharged, WorkerApplied, WorkerRecorded, WorkerAcked,
		MailClaimed, MailSent, MailMarked,
	}
}

// The other events of the trace. Those that cross a wire appear twice: the call with its key, and the
// answer, whose From and To are swapped, with its outcome.
const (
	HTTPRequest     Name = "http.request"
	BrokerPublish   Name = "broker.publish"
	BrokerDeliver   Name = "broker.deliver"
	StripeCharge    Name = "stripe.charge"
	StripeFind      Name = "stripe.find"
	LedgerEffects   Name = "ledger.effects"
	WorkerSettled   Name = "worker.settled"
	ClaimTaken      Name = "claim.taken"
	ProcessStarted  Name = "process.started"
	FaultFired      Name = "fault.fired"
	StepWaiting     Name = "step.waiting"
	StepReleased    Name = "step.released"
	SettingsChanged Name = "settings.changed"
	ClockAdvanced   Name = "clock.advanced"
	LabReset        Name = "lab.reset"
)
