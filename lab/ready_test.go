package lab_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/payments/stripetest"
)

// closedAddress is an address at which nobody listens.
func closedAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // Nothing to wait for.
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return address
}

func TestReadinessListsThePartsBeforeAnythingIsUp(t *testing.T) {
	t.Parallel()
	nowhere := closedAddress(t)
	url := "postgres://nobody@" + nowhere + "/nothing?sslmode=disable"
	store, err := postgres.Open(t.Context(), url, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	start := time.Now()
	now := start
	ready := &lab.Readiness{
		Store: store, Queues: &rabbit.Inspector{URL: "amqp://" + nowhere}, Now: func() time.Time { return now },
		Emulator: lab.NewEmulator("http://"+nowhere, "sk_test_1"),
	}
	for _, seconds := range []int64{0, 3, 7} {
		now = start.Add(time.Duration(seconds) * time.Second)
		want := []step.Part{
			{Name: "database", WaitingFor: "the database with its schema", Seconds: seconds},
			{Name: "broker", WaitingFor: "the broker to accept connections", Seconds: seconds},
			{Name: "relay", WaitingFor: "a relay with a connection to the broker", Seconds: seconds},
			{Name: "worker", WaitingFor: "a consumer on the job queue", Seconds: seconds},
			{Name: "mailer", WaitingFor: "a mailer with a connection to the database", Seconds: seconds},
			{Name: "bank", WaitingFor: "the emulator to answer", Seconds: seconds},
		}
		if diff := cmp.Diff(want, ready.Parts(t.Context())); diff != "" {
			t.Errorf("after %d s (-want +got):\n%s", seconds, diff)
		}
	}
}

func TestReadinessSeesEachPartComeUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ready := &lab.Readiness{
		Store: b.Store, Queues: b.Queues, Now: time.Now,
		Emulator: lab.NewEmulator(stripetest.NewServer(t).URL, "sk_test_1"),
	}
	b.wantReady(ready, "database", "broker", "bank")
	for _, role := range []string{"relay", "mailer"} {
		instance, err := postgres.Join(t.Context(), postgrestest.URL(t), b.options, role, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer instance.SetReady(false)
		instance.SetReady(role == "relay")
	}
	b.wantReady(ready, "database", "broker", "relay", "bank") // The mailer lives, and is not ready.
	if _, err := b.channel.Consume(b.Queues.Topology.Jobs(), "", false, false, false, false, nil); err != nil {
		t.Fatal(err)
	}
	b.wantReady(ready, "database", "broker", "relay", "worker", "bank")
	ready.Emulator = nil // Stripe's test mode is taken to be up.
	b.wantReady(ready, "database", "broker", "relay", "worker", "bank")
}

func (b *bench) wantReady(ready *lab.Readiness, want ...string) {
	b.t.Helper()
	var got []string
	b.eventually("the parts that are ready", func(ctx context.Context) (bool, error) {
		got = nil
		for _, part := range ready.Parts(ctx) {
			if part.Ready {
				got = append(got, part.Name)
			}
		}
		return len(got) == len(want), nil
	})
	if diff := cmp.Diff(want, got); diff != "" {
		b.t.Errorf("ready (-want +got):\n%s", diff)
	}
}
