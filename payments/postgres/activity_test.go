package postgres_test

import (
	"context"
	"testing"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

func activity(t *testing.T, store *postgres.Store) postgres.Activity {
	t.Helper()
	a, err := store.Activity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestActivityCountsWhatIsUnsent(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	if a := activity(t, store); !a.Idle() {
		t.Errorf("an empty table is not idle: %+v", a)
	}
	job := bought(t, store)
	if a := activity(t, store); a.Unsent != 1 || a.Idle() {
		t.Errorf("with a row in the outbox: %+v", a)
	}
	publish(t, store, nil)
	if a := activity(t, store); a.Unsent != 0 || !a.Between || a.Idle() {
		t.Errorf("with a message that nobody has seen yet: %+v", a)
	}
	deliver(t, store, job, false)
	if a := activity(t, store); !a.Idle() {
		t.Errorf("with everything sent and seen: %+v", a)
	}
	if err := postgres.NewLedger(store).Apply(t.Context(), job, charged); err != nil {
		t.Fatal(err)
	}
	if a := activity(t, store); a.Unsent != 1 || a.Idle() {
		t.Errorf("with a letter owed: %+v", a)
	}
	letter, err := store.ClaimMail(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := letter.Mark(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := activity(t, store); !a.Idle() {
		t.Errorf("with the letter sent: %+v", a)
	}
}

// deliver leaves the trace of a delivery.
func deliver(t *testing.T, store *postgres.Store, job payments.ChargeJob, redelivered bool) {
	t.Helper()
	note(t, store, job, step.BrokerDeliver, step.Detail{Redelivered: &redelivered})
}

func note(t *testing.T, store *postgres.Store, job payments.ChargeJob, name step.Name, d step.Detail) {
	t.Helper()
	ctx := step.About(t.Context(), step.Subject{MessageID: job.MessageID, OrderID: job.OrderID})
	if _, err := postgres.NewRecorder(store, step.Process{}).Record(ctx, name, d); err != nil {
		t.Fatal(err)
	}
}

// TestWhatTheBrokerHasIsOnItsWayUntilSomebodySawIt: a copy that was published, and a retry on its way from
// one queue to the other, are for a moment in none that can be counted.
func TestWhatTheBrokerHasIsOnItsWayUntilSomebodySawIt(t *testing.T) {
	t.Parallel()
	due := time.Now().UTC()
	for name, more := range map[string]struct {
		step   step.Name
		detail step.Detail
	}{
		"published twice": {step.FaultFired, step.Detail{Point: string(step.BrokerDuplicate)}},
		"sent to a retry": {step.WorkerSettled, step.Detail{How: "retry", DueAt: &due}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := postgrestest.Open(t)
			job := bought(t, store)
			publish(t, store, nil)
			note(t, store, job, more.step, more.detail)
			deliver(t, store, job, false)
			if a := activity(t, store); !a.Between {
				t.Errorf("after one delivery: %+v", a)
			}
			deliver(t, store, job, true) // The same message again is not the other one.
			if a := activity(t, store); !a.Between {
				t.Errorf("after a redelivery: %+v", a)
			}
			deliver(t, store, job, false)
			if a := activity(t, store); !a.Idle() {
				t.Errorf("after the other delivery: %+v", a)
			}
		})
	}
}

func TestActivityCountsWorkersInTheirTurn(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	first, second := join(t, options, "worker", 1), join(t, options, "worker", 2)
	one, two := postgres.NewRecorder(store, first.Process), postgres.NewRecorder(store, second.Process)
	if a := activity(t, store); a.Idle() {
		t.Errorf("with workers that do not consume yet: %+v", a)
	}
	first.SetReady(true)
	second.SetReady(true)
	eventually(t, "the workers consume", func(ctx context.Context) (bool, error) {
		a, err := store.Activity(ctx)
		return a.Idle(), err
	})
	inHand := func(want int) {
		t.Helper()
		if a := activity(t, store); a.InHand != want || a.Idle() != (want == 0) {
			t.Errorf("want %d in hand: %+v", want, a)
		}
	}
	record(t, one, step.Subject{MessageID: "m-1"}, step.WorkerReceived)
	inHand(1)
	record(t, two, step.Subject{MessageID: "m-2"}, step.WorkerReceived)
	inHand(2)
	record(t, one, step.Subject{MessageID: "m-1"}, step.WorkerAcked)
	inHand(2) // An ack does not end the turn: it may have been an early one.
	record(t, one, step.Subject{MessageID: "m-1"}, step.WorkerSettled)
	inHand(1)
	record(t, two, step.Subject{MessageID: "m-2"}, step.WorkerSettled)
	inHand(0)
	record(t, one, step.Subject{MessageID: "m-3"}, step.WorkerReceived)
	inHand(1)
}

func TestWhatADeadWorkerHeldIsOnItsWayUntilItIsDeliveredAgain(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	worker, die := joinFor(t, options, "worker", 1)
	about := step.Subject{MessageID: "m-1"}
	record(t, postgres.NewRecorder(store, worker.Process), about, step.WorkerReceived)
	die()
	eventually(t, "it is dead", func(ctx context.Context) (bool, error) {
		ok, err := alive(ctx, store, worker.Instance)
		return !ok, err
	})
	onItsWay := func(when string) {
		t.Helper()
		if a := activity(t, store); a.InHand != 0 || !a.Between || a.Idle() {
			t.Errorf("%s: %+v", when, a)
		}
	}
	onItsWay("before its supervisor saw it")
	if err := store.Ended(t.Context(), "worker", 1, worker.PID); err != nil {
		t.Fatal(err)
	}
	onItsWay("just after its supervisor saw it")
	execute(t, store, `UPDATE processes SET ended_at = ended_at - interval '300 milliseconds'`)
	onItsWay("when its death is old, and its message not back")
	record(t, postgres.NewRecorder(store, step.Process{}), about, step.BrokerDeliver)
	if a := activity(t, store); !a.Idle() {
		t.Errorf("when its message is back: %+v", a)
	}
}

func TestADeathIsFreshForAMoment(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	relay, die := joinFor(t, options, "relay", 1)
	die()
	if err := store.Ended(t.Context(), "relay", 1, relay.PID); err != nil {
		t.Fatal(err)
	}
	if a := activity(t, store); !a.Between {
		t.Errorf("just after the death: %+v", a)
	}
	eventually(t, "its death is old", func(ctx context.Context) (bool, error) {
		a, err := store.Activity(ctx)
		return a.Idle(), err
	})
	n := number(t, store, `SELECT count(*) FROM processes WHERE ended_at < clock_timestamp() - interval '250 ms'`)
	if n != 1 {
		t.Error("it was idle too early")
	}
}

func TestActivityTellsThatSomethingHappened(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	before := activity(t, store)
	if again := activity(t, store); again != before {
		t.Errorf("two readings without an event differ: %+v, %+v", before, again)
	}
	record(t, postgres.NewRecorder(store, step.Process{}), step.Subject{}, step.APIReceived)
	if after := activity(t, store); after.LastRow <= before.LastRow {
		t.Errorf("an event does not show: %+v, %+v", before, after)
	}
}

// publish marks every row of the outbox, those that are named with an error as failed.
func publish(t *testing.T, store *postgres.Store, failed map[int64]string) []payments.OutboxRow {
	t.Helper()
	batch, err := store.ClaimOutbox(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	var sent []int64
	for _, row := range batch.Rows() {
		if _, ok := failed[row.ID]; !ok {
			sent = append(sent, row.ID)
		}
	}
	if len(batch.Rows()) == 0 {
		return nil
	}
	if err := batch.Mark(t.Context(), sent, failed); err != nil {
		t.Fatal(err)
	}
	return batch.Rows()
}
