package lab_test

import (
	"context"
	"testing"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

func at(point step.Name) step.Fault { return step.Fault{Point: point, Times: 1, DurationMS: 1000} }

// TestWhatIsNotOursIsLeftAlone: a server that was not started here, and a bank that takes no orders.
func TestWhatIsNotOursIsLeftAlone(t *testing.T) {
	t.Parallel()
	l := &lab.Lab{Store: postgrestest.Open(t)} // Its bank is Stripe's test mode.
	for _, point := range []step.Name{step.BrokerRestart, step.DatabaseRestart, step.RedisFlush, step.StripeStored500} {
		if _, err := l.Arm(t.Context(), at(point)); err == nil {
			t.Errorf("%s is done", point)
		} else {
			wantError(t, err, payments.ErrConflict)
		}
	}
	commands, err := l.Store.Commands(t.Context(), postgres.ServersRole)
	if err != nil || len(commands) != 0 {
		t.Errorf("commands were given: %v, %v", commands, err)
	}
}

// TestAServerOfOursIsRestartedByWhoeverStartedIt: the command names it, and the trace tells.
func TestAServerOfOursIsRestartedByWhoeverStartedIt(t *testing.T) {
	t.Parallel()
	l := &lab.Lab{Store: postgrestest.Open(t), Servers: step.Servers{AMQP: "amqp://here", Database: "postgres://here"}}
	for point, variable := range map[step.Name]string{
		step.BrokerRestart: "AMQP_URL", step.DatabaseRestart: "DATABASE_URL",
	} {
		fault, err := l.Arm(t.Context(), at(point))
		if err != nil || fault.Action != step.Now {
			t.Errorf("%s: %+v, %v", point, fault, err)
		}
		commands, err := l.Store.Commands(t.Context(), postgres.ServersRole)
		if err != nil || len(commands) != 1 || commands[0].Command != variable {
			t.Fatalf("%s: the commands are %v, %v", point, commands, err)
		}
		if err := l.Store.Done(t.Context(), commands[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	armed, err := l.Store.Armed(t.Context())
	if err != nil || len(armed) != 0 {
		t.Errorf("armed are %v, %v", armed, err)
	}
	events, err := l.Events(t.Context(), 0, "")
	if err != nil || len(events) != 2 || events[0].Step != step.FaultFired {
		t.Errorf("the trace has %v, %v", events, err)
	}
}

// flusher counts how often it is flushed.
type flusher struct{ n int }

func (f *flusher) Flush(context.Context) error {
	f.n++
	return nil
}

// TestTheActionCanBeLeftOutWhereThePointSaysItAll, and what is done at once is never armed.
func TestTheActionCanBeLeftOutWhereThePointSaysItAll(t *testing.T) {
	t.Parallel()
	redis := &flusher{}
	emulator := lab.NewEmulator("http://127.0.0.1:1", "sk_test_x")
	l := &lab.Lab{Store: postgrestest.Open(t), Redis: redis, Emulator: emulator}
	if _, err := l.Arm(t.Context(), at(step.RedisFlush)); err != nil || redis.n != 1 {
		t.Errorf("flushed %d times, %v", redis.n, err)
	}
	for _, point := range append(step.StripePoints(), step.BrokerDuplicate) {
		if _, err := l.Arm(t.Context(), at(point)); err != nil {
			t.Errorf("%s: %v", point, err)
		}
	}
	armed, err := l.Store.Armed(t.Context())
	if err != nil || len(armed) != len(step.StripePoints())+1 {
		t.Errorf("armed are %v, %v", armed, err)
	}
	_, err = l.Setup(t.Context(), step.Change{}, []step.Fault{at(step.RedisFlush)})
	wantField(t, err, "faults[0].point")
}
