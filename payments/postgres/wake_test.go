package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

// listening waits until somebody listens in the schema of these options.
func listening(t *testing.T, store *postgres.Store, o postgres.Options) {
	t.Helper()
	eventually(t, "somebody listens", func(ctx context.Context) (n bool, err error) {
		err = store.Pool().QueryRow(ctx, `SELECT count(*) > 0 FROM pg_stat_activity
			WHERE application_name = left('doublecharge ' || $1, 63) AND state = 'idle' AND query LIKE 'LISTEN%'`,
			o.Name).Scan(&n)
		return n, err
	})
}

func TestManyWakesWhileOneIsOnItsWayAreOne(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	listener, err := store.Pool().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Release()
	channel := pgx.Identifier{"outbox of " + options.Schema}.Sanitize()
	if _, err := listener.Exec(t.Context(), "LISTEN "+channel); err != nil {
		t.Fatal(err)
	}
	hear := func() string {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		notification, err := listener.Conn().WaitForNotification(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return notification.Payload
	}
	waker := postgres.NewWaker(postgrestest.URL(t), options, slog.New(slog.DiscardHandler))
	for range 1000 {
		waker.Wake() // It never blocks, even while nothing runs.
	}
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	running.Go(func() { waker.Run(ctx) })
	defer running.Wait()
	defer stop()
	if payload := hear(); payload != "" {
		t.Errorf("it says %q", payload)
	}
	execute(t, store, "NOTIFY "+channel+", 'the end'")
	if hear() != "the end" {
		t.Error("a thousand wakes became more than one")
	}
	waker.Wake()
	if hear() != "" {
		t.Error("the next one is not heard")
	}
}

func TestARelayThatIsBusyIsWokenOnceForAllThatItMissed(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	options.Name = "listener " + t.Name()
	store := postgrestest.OpenWith(t, options)
	wakes := postgres.Wakes(t.Context(), postgrestest.URL(t), options, slog.New(slog.DiscardHandler))
	listening(t, store, options)
	channel := pgx.Identifier{"outbox of " + options.Schema}.Sanitize()
	for range 50 {
		execute(t, store, "NOTIFY "+channel)
	}
	receive(t, "it is woken", wakes)
	if n := cap(wakes); n != 1 {
		t.Errorf("it would be woken up to %d times more", n)
	}
}

func TestAWakeReachesItsOwnSchemaOnly(t *testing.T) {
	t.Parallel()
	mine, theirs := postgrestest.Options(t), postgrestest.Options(t)
	mine.Name, theirs.Name = "mine "+t.Name(), "theirs "+t.Name()
	store := postgrestest.OpenWith(t, mine)
	log := slog.New(slog.DiscardHandler)
	myWakes := postgres.Wakes(t.Context(), postgrestest.URL(t), mine, log)
	theirWakes := postgres.Wakes(t.Context(), postgrestest.URL(t), theirs, log)
	listening(t, store, mine)
	listening(t, store, theirs)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	waker := postgres.NewWaker(postgrestest.URL(t), mine, log)
	running.Go(func() { waker.Run(ctx) })
	defer running.Wait()
	defer stop()
	for range 50 { // Long before the last of these, a wake that is for everybody would have come to them.
		waker.Wake()
		receive(t, "I am woken", myWakes)
	}
	select {
	case <-theirWakes:
		t.Error("the other schema's relay was woken")
	default:
	}
}

// TestEverythingSurvivesTheLossOfAllConnections does to the database's clients what its restart does.
func TestEverythingSurvivesTheLossOfAllConnections(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	options.Name = t.Name()
	store := postgrestest.OpenWith(t, options)
	killer := postgrestest.Open(t)
	log := slog.New(slog.DiscardHandler)
	wakes := postgres.Wakes(t.Context(), postgrestest.URL(t), options, log)
	waker := postgres.NewWaker(postgrestest.URL(t), options, log)
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	running.Go(func() { waker.Run(ctx) })
	defer running.Wait()
	defer stop()
	instance := join(t, options, "worker", 1)
	instance.SetReady(true)
	recorder := postgres.NewRecorder(store, instance.Process)
	woken := func(context.Context) (bool, error) {
		waker.Wake()
		select {
		case <-wakes:
			return true, nil
		default:
			return false, nil
		}
	}
	eventually(t, "the relay is woken before", woken)

	if n := number(t, killer, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE application_name = left('doublecharge ' || $1, 63) AND pid <> pg_backend_pid()`, options.Name); n < 3 {
		t.Fatalf("only %d connections were there to lose", n)
	}
	// The supervisors ask many times a second who is alive, and may well ask before the process is back.
	survives(t, "the process is taken for dead", func(ctx context.Context) error {
		_, err := store.Pool().Exec(ctx, `UPDATE processes SET ended_at = clock_timestamp()`)
		return err
	})

	eventually(t, "the process is alive, listed and ready again", func(ctx context.Context) (bool, error) {
		roles, err := store.ReadyRoles(ctx)
		return roles["worker"], ignoreUnavailable(err)
	})
	survives(t, "the trace", func(ctx context.Context) error {
		_, err := recorder.Record(ctx, step.WorkerReceived, step.Detail{}, step.WorkerReceived)
		return err
	})
	survives(t, "a checkout", func(ctx context.Context) error {
		answer, c := checkout()
		return store.SaveCheckout(ctx, answer, c)
	})
	eventually(t, "the relay is woken after", woken)
}

// survives tries until it works: the first to use a lost connection learns of it by an error.
func survives(t *testing.T, what string, do func(context.Context) error) {
	t.Helper()
	eventually(t, what, func(ctx context.Context) (bool, error) { return do(ctx) == nil, nil })
}

func ignoreUnavailable(err error) error {
	if errors.Is(err, payments.ErrUnavailable) {
		return nil
	}
	return err
}
