package api_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/doublecharge/payments/step"
)

// TestFiftyAtOnceMakeOneOrder through two processes on one database, round after round.
func TestFiftyAtOnceMakeOneOrder(t *testing.T) {
	t.Parallel()
	const rounds, clients = 6, 50
	first := open(t)
	shops := []*shop{first, openOn(t, first.options)}
	for round := range rounds {
		key := "round-" + strconv.Itoa(round)
		if round == rounds-1 {
			key = "round-0" // Everybody finds a key whose time is over.
			first.expire(t, key)
		}
		answers := make([]reply, clients)
		var all sync.WaitGroup
		begin := make(chan struct{})
		for i := range clients {
			s := shops[i%len(shops)]
			r := s.request(t, http.MethodPost, "/v1/checkouts", coffee, from("ayse"), as("Idempotency-Key", key))
			all.Go(func() {
				<-begin
				answer, err := s.send(r)
				if err != nil {
					t.Error(err)
				}
				answers[i] = answer
			})
		}
		close(begin)
		all.Wait()
		checkRound(t, key, answers)
		want := round + 1 // The order of the old key is still there.
		if got := first.rows(t); got.Orders != want || got.Attempts != want || got.Outbox != want ||
			got.Keys != min(want, rounds-1) {
			t.Errorf("after %s: %+v, want %d orders", key, got, want)
		}
	}
}

// checkRound: one is the first, and all others are replays of it or come back later.
func checkRound(t *testing.T, key string, answers []reply) {
	t.Helper()
	orders, made := map[string]bool{}, 0
	for _, answer := range answers {
		switch {
		case answer.status == http.StatusAccepted:
			orders[answer.body] = true
			if answer.header.Get("Idempotent-Replayed") == "" {
				made++
			}
		case answer.status != http.StatusConflict || answer.header.Get("Retry-After") != "1":
			t.Errorf("%s: %d %v %s", key, answer.status, answer.header, answer.body)
		}
	}
	if len(orders) != 1 || made != 1 {
		t.Errorf("%s: %d different orders, made by %d requests", key, len(orders), made)
	}
}

// holder lets one request after another stand still at a step, from the first one on.
type holder struct {
	at      step.Name
	arrived chan struct{}
	release chan struct{}
	over    <-chan struct{} // A test that failed lets its server end.
}

func hold(t *testing.T, at step.Name) *holder {
	t.Helper()
	return &holder{at, make(chan struct{}, 100), make(chan struct{}), t.Context().Done()}
}

func (h *holder) Record(_ context.Context, name step.Name, _ step.Detail, _ ...step.Name) (step.Strike, error) {
	if name == h.at {
		h.arrived <- struct{}{}
		select {
		case <-h.release:
		case <-h.over:
		}
	}
	return step.Strike{}, nil
}

func (h *holder) Await(context.Context, int64) error { return nil }

// begin sends a request and returns before its answer comes.
func (s *shop) begin(t *testing.T, key string) <-chan reply {
	t.Helper()
	r := s.request(t, http.MethodPost, "/v1/checkouts", coffee, from("ayse"), as("Idempotency-Key", key))
	answers := make(chan reply, 1)
	go func() {
		answer, err := s.send(r)
		if err != nil {
			t.Error(err)
		}
		answers <- answer
	}()
	return answers
}

// receive waits for something, but not for ever.
func receive[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(limit):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// TestAKeyInUseIsAConflictSoon: the repetition is refused while the first one still stands before its
// COMMIT, here or in another process, and is a replay afterwards.
func TestAKeyInUseIsAConflictSoon(t *testing.T) {
	t.Parallel()
	held := hold(t, step.APIWritten)
	s := open(t, withProbe(held))
	first := s.begin(t, "k")
	receive(t, "the first request at its step", held.arrived)
	for name, other := range map[string]*shop{"the same process": s, "another process": openOn(t, s.options)} {
		answer := other.buy(t, "ayse", "k", coffee)
		p := answer.problem(t)
		if answer.status != http.StatusConflict || answer.header.Get("Retry-After") != "1" ||
			p.Title != "A request is outstanding for this Idempotency-Key" {
			t.Errorf("%s: %d %v %s", name, answer.status, answer.header, answer.body)
		}
		if strings.Contains(answer.body, "SQLSTATE") || strings.Contains(answer.body, "lock") {
			t.Errorf("%s tells of the database: %s", name, answer.body)
		}
	}
	select {
	case answer := <-first:
		t.Fatalf("the first was not held: %d %s", answer.status, answer.body)
	default:
	}
	s.wantOrders(t, 0)
	close(held.release)
	answer := receive(t, "the first answer", first)
	if answer.status != http.StatusAccepted {
		t.Errorf("the first: %d %s", answer.status, answer.body)
	}
	wantReplay(t, s.buy(t, "ayse", "k", coffee), answer)
	s.wantOrders(t, 1)
}

// TestAtMostEightWaitForTheFirst: the ninth is told to come back while those eight still wait for the
// lock, another key goes through, and all eight get the first one's answer.
func TestAtMostEightWaitForTheFirst(t *testing.T) {
	t.Parallel()
	held := hold(t, step.APIWritten)
	options := open(t).options
	options.LockTimeout = limit // Nobody gives up by himself.
	s := openOn(t, options, withProbe(held))
	first := s.begin(t, "k")
	receive(t, "the first request at its step", held.arrived)
	var waiting []<-chan reply
	for range 8 {
		waiting = append(waiting, s.begin(t, "k"))
	}
	s.waitForWaiters(t, 8)
	if ninth := receive(t, "the ninth", s.begin(t, "k")); ninth.status != http.StatusConflict ||
		ninth.header.Get("Retry-After") != "1" {
		t.Errorf("the ninth: %d %s", ninth.status, ninth.body)
	}
	s.waitForWaiters(t, 8)
	another := s.begin(t, "another")
	receive(t, "another key at its step", held.arrived)
	close(held.release)
	answer := receive(t, "the first answer", first)
	for _, each := range waiting {
		wantReplay(t, receive(t, "a replay", each), answer)
	}
	if got := receive(t, "the other key's answer", another); got.status != http.StatusAccepted {
		t.Errorf("another key: %d %s", got.status, got.body)
	}
	s.wantOrders(t, 2)
}

// waitForWaiters returns when so many connections of this test wait for a lock.
func (s *shop) waitForWaiters(t *testing.T, n int) {
	t.Helper()
	deadline := time.After(limit)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		var waiting int
		err := s.store.Pool().QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE wait_event_type = 'Lock' AND application_name = current_setting('application_name')
			AND query LIKE 'INSERT INTO idempotency_keys%'`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
		if waiting == n {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%d wait, want %d", waiting, n)
		}
	}
}
