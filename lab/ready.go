package lab

import (
	"context"
	"sync"
	"time"

	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/rabbit"
	"example.com/doublecharge/payments/step"
)

// Readiness tells which parts are there. It works before any of them is.
type Readiness struct {
	Store    *postgres.Store
	Queues   *rabbit.Inspector
	Emulator *Emulator // nil: Stripe's test mode, which is taken to be up
	Now      func() time.Time

	mu    sync.Mutex
	since map[string]time.Time
}

// Parts looks at every part at once, for a second at most.
func (r *Readiness) Parts(ctx context.Context) []step.Part {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var database, bank, broker string
	var consumers int
	roles := map[string]bool{}
	var looks sync.WaitGroup
	looks.Go(func() { database, roles = r.database(ctx) })
	looks.Go(func() { broker, consumers = r.broker(ctx) })
	looks.Go(func() { bank = r.bank(ctx) })
	looks.Wait()
	return r.timed([]step.Part{
		{Name: "database", WaitingFor: database},
		{Name: "broker", WaitingFor: broker},
		{Name: "relay", WaitingFor: unless(roles["relay"], "a relay with a connection to the broker")},
		{Name: "worker", WaitingFor: unless(consumers > 0, "a consumer on the job queue")},
		{Name: "mailer", WaitingFor: unless(roles["mailer"], "a mailer with a connection to the database")},
		{Name: "bank", WaitingFor: bank},
	})
}

func unless(ready bool, missing string) string {
	if ready {
		return ""
	}
	return missing
}

func (r *Readiness) database(ctx context.Context) (string, map[string]bool) {
	if err := r.Store.Ready(ctx); err != nil {
		return "the database with its schema", nil
	}
	roles, err := r.Store.ReadyRoles(ctx)
	if err != nil {
		return "the database with its schema", nil
	}
	return "", roles
}

func (r *Readiness) broker(ctx context.Context) (string, int) {
	counts, err := r.Queues.Counts(ctx, nil)
	if err != nil || len(counts) == 0 {
		return "the broker to accept connections", 0
	}
	return "", counts[0].Consumers // The jobs come first.
}

func (r *Readiness) bank(ctx context.Context) string {
	if r.Emulator == nil || r.Emulator.Ready(ctx) == nil {
		return ""
	}
	return "the emulator to answer"
}

// timed says for how long each part has been waited for.
func (r *Readiness) timed(parts []step.Part) []step.Part {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.since == nil {
		r.since = map[string]time.Time{}
	}
	now := r.Now()
	for i := range parts {
		part := &parts[i]
		part.Ready = part.WaitingFor == ""
		if part.Ready {
			delete(r.since, part.Name)
			continue
		}
		if r.since[part.Name].IsZero() {
			r.since[part.Name] = now
		}
		part.Seconds = int64(now.Sub(r.since[part.Name]).Seconds())
	}
	return parts
}
