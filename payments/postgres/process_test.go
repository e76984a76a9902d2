package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
	"example.com/doublecharge/payments/step"
)

// join registers this process; it leaves when the test is over.
func join(t *testing.T, o postgres.Options, role string, number int) *postgres.Instance {
	t.Helper()
	instance, err := postgres.Join(t.Context(), postgrestest.URL(t), o, role, number)
	if err != nil {
		t.Fatal(err)
	}
	return instance
}

// joinFor registers this process until leave is called.
func joinFor(t *testing.T, o postgres.Options, role string, number int) (in *postgres.Instance, leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	in, err := postgres.Join(ctx, postgrestest.URL(t), o, role, number)
	if err != nil {
		t.Fatal(err)
	}
	return in, cancel
}

func alive(ctx context.Context, store *postgres.Store, instance int64) (alive bool, err error) {
	err = store.Pool().QueryRow(ctx, "SELECT process_alive($1)", instance).Scan(&alive)
	return alive, err
}

func TestAProcessIsAliveExactlyAsLongAsItLives(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	process := startProcess(t, options.Schema, liveAndWait)
	instance := int64(process.says(t))
	if ok, err := alive(t.Context(), store, instance); err != nil || !ok {
		t.Fatalf("the living process is alive: %v, %v", ok, err)
	}
	process.kill(t)
	died := time.Now()
	eventually(t, "the killed process is dead", func(ctx context.Context) (bool, error) {
		ok, err := alive(ctx, store, instance)
		return !ok, err
	})
	if took := time.Since(died); took > time.Second {
		t.Errorf("its death was seen only after %v", took)
	}
}

func TestOneSchemasProcessesAreNotAnothers(t *testing.T) {
	t.Parallel()
	mine := join(t, postgrestest.Options(t), "worker", 1)
	other := postgrestest.Open(t)
	if ok, err := alive(t.Context(), other, mine.Instance); err != nil || ok {
		t.Errorf("instance %d of another schema is alive: %v, %v", mine.Instance, ok, err)
	}
}

func TestStartsAreCountedByRoleAndNumberAndBeginAnewAfterAReset(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	type start struct {
		Role                    string
		Number, Start, Restarts int
	}
	leaves := map[string][]func(){}
	starts := func(role string, number int) start {
		in, leave := joinFor(t, options, role, number)
		leaves[role] = append(leaves[role], leave)
		return start{in.Role, in.Number, in.Start, in.Restarts}
	}
	got := []start{
		starts("worker", 1), starts("worker", 1), starts("worker", 2), starts("relay", 1), starts("worker", 1),
	}
	want := []start{
		{"worker", 1, 1, 0}, {"worker", 1, 2, 1}, {"worker", 2, 1, 0}, {"relay", 1, 1, 0}, {"worker", 1, 3, 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, leave := range leaves["worker"] {
		leave()
	}
	eventually(t, "the workers are gone", func(ctx context.Context) (gone bool, err error) {
		err = store.Pool().QueryRow(ctx,
			"SELECT NOT bool_or(process_alive(instance)) FROM processes WHERE role = 'worker'").Scan(&gone)
		return gone, err
	})
	if err := store.FinishReset(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The workers were replaced by the reset; the relay lived through it, and this is its second start.
	got = []start{starts("worker", 1), starts("relay", 1)}
	if diff := cmp.Diff([]start{{"worker", 1, 1, 0}, {"relay", 1, 2, 1}}, got); diff != "" {
		t.Errorf("after the reset:\n%s", diff)
	}
}

func TestReadyRolesAreThoseWithALivingProcessThatSaidSo(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	join(t, options, "worker", 1)
	second, leave := joinFor(t, options, "worker", 2)
	join(t, options, "relay", 1)
	become := func(what string, want map[string]bool) {
		eventually(t, what, func(ctx context.Context) (bool, error) {
			roles, err := store.ReadyRoles(ctx)
			return cmp.Equal(want, roles), err
		})
	}
	become("nobody is ready", map[string]bool{"worker": false, "relay": false})
	second.SetReady(true)
	become("the second worker is ready", map[string]bool{"worker": true, "relay": false})
	leave()
	become("the second worker is gone", map[string]bool{"worker": false, "relay": false})
}

func TestOnlyLivingProcessesAreListed(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	worker := join(t, options, "worker", 1)
	relay := join(t, options, "relay", 1)
	mailer, leave := joinFor(t, options, "mailer", 1)
	leave()
	eventually(t, "the mailer is off the list", func(ctx context.Context) (bool, error) {
		processes, err := store.Processes(ctx)
		return cmp.Equal([]step.Process{relay.Process, worker.Process}, processes), err
	})
	for want, pid := range []int{mailer.PID + 1, mailer.PID} { // The first is somebody else's.
		if err := store.Ended(t.Context(), "mailer", 1, pid); err != nil {
			t.Fatal(err)
		}
		if n := number(t, store, "SELECT count(*) FROM processes WHERE ended_at IS NOT NULL"); n != want {
			t.Errorf("after the end of pid %d, %d processes have ended, want %d", pid, n, want)
		}
	}
}

func TestStaleProcessesAreEndedAndLivingOnesAreNot(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	living := join(t, options, "worker", 1)
	dead, leave := joinFor(t, options, "worker", 2)
	leave()
	eventually(t, "one is dead", func(ctx context.Context) (bool, error) {
		ok, err := alive(ctx, store, dead.Instance)
		return !ok, err
	})
	ended := func() (list []int64) {
		t.Helper()
		if err := store.EndStale(t.Context(), "worker"); err != nil {
			t.Fatal(err)
		}
		rows, err := store.Pool().Query(t.Context(), `SELECT instance FROM processes WHERE ended_at IS NOT NULL`)
		if err != nil {
			t.Fatal(err)
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	execute(t, store, `UPDATE processes SET started_at = clock_timestamp() - interval '3 seconds'`)
	if diff := cmp.Diff([]int64{dead.Instance}, ended()); diff != "" {
		t.Errorf("%v, and %d lives", diff, living.Instance)
	}
}

func TestCommandsWaitUntilTheyAreDone(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	var ids []int64
	for _, role := range []string{"worker", "worker", "relay"} {
		id, err := store.Give(t.Context(), role, postgres.ReplaceCommand)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := store.Done(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, false} {
		if done, err := store.IsDone(t.Context(), ids[i]); err != nil || done != want {
			t.Errorf("command %d is done: %v, %v", i, done, err)
		}
	}
	commands, err := store.Commands(t.Context(), "worker")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]postgres.Command{{ID: ids[1], Command: postgres.ReplaceCommand}}, commands); diff != "" {
		t.Error(diff)
	}
}
