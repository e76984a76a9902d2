package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/step"
)

// childFlag tells a process that it is a child, and which number it has. Without it a role's command is
// the supervisor, which starts itself again as its children.
type childFlag struct {
	Child int `name:"child" hidden:""`
}

// role is one role's supervisor to be: how its children are started.
type role struct {
	name string
	// args are the children's arguments; env is added to this process's environment.
	args, env []string
	children  int
	listener  *os.File
	level     slog.Level
	// beside runs in the supervisor's own process, and is waited for; nil is nothing.
	beside func(context.Context, *postgres.Store)
}

// supervisor makes the role's supervisor. The children write to this process's standard error.
func (a *app) supervisor(ctx context.Context, r role, store *postgres.Store) (*stack.Supervisor, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	log := slog.New(logHandler(a.stderr, r.level))
	return &stack.Supervisor{
		Role: r.name, Children: r.children, Listener: r.listener, Logger: log,
		Grace: 10 * time.Second, // A worker uses five of them to finish what it has in hand.
		Command: func(ctx context.Context, number int) *exec.Cmd {
			//nolint:gosec // This very program, with the arguments it was given itself.
			cmd := exec.CommandContext(ctx, exe, append(r.args, "--child", strconv.Itoa(number))...)
			cmd.Env = append(os.Environ(), r.env...)
			cmd.Stdout, cmd.Stderr = a.stderr, a.stderr
			return cmd
		},
		OnExit: func(p stack.Process, _ *os.ProcessState) {
			if store != nil {
				go recordExit(ctx, store, r.name, p, log) // Its successor does not wait for the database.
			}
		},
	}, nil
}

// recordExit writes that a process ended, so that quiet waits until what it held is back in its queue.
func recordExit(ctx context.Context, store *postgres.Store, role string, p stack.Process, log *slog.Logger) {
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		return struct{}{}, store.Ended(ctx, role, p.Number, p.PID)
	}, backoff.WithMaxElapsedTime(10*time.Minute))
	if err != nil {
		log.DebugContext(ctx, "an exit was not recorded", "error", err)
	}
}

// supervise is a role's command without --child: it keeps the children alive until the context ends,
// and does what the lab asks of it.
func (a *app) supervise(ctx context.Context, r role, db databaseFlags) error {
	r.args, r.level = a.args, a.cli.LogLevel
	var store *postgres.Store
	if db.DatabaseURL != "" {
		var err error
		if store, err = postgres.Open(ctx, db.DatabaseURL, db.options(r.name+" supervisor")); err != nil {
			return err
		}
		defer store.Close()
	}
	supervisor, err := a.supervisor(ctx, r, store)
	if err != nil {
		return err
	}
	if store != nil {
		go obey(ctx, store, map[string]*stack.Supervisor{r.name: supervisor}, r.children)
	}
	if r.beside != nil && store != nil {
		var working sync.WaitGroup
		defer working.Wait()
		working.Go(func() { r.beside(ctx, store) })
	}
	return supervisor.Run(ctx)
}

// obey polls what the lab wants of the supervisors: how many workers, and replacements.
func obey(ctx context.Context, store *postgres.Store, supervisors map[string]*stack.Supervisor, workers int) {
	_, _ = backoff.Retry(ctx, func() (struct{}, error) { // The end of the context ends this too.
		for name := range supervisors {
			if err := store.EndStale(ctx, name); err != nil {
				return struct{}{}, err
			}
		}
		if supervisors["worker"] == nil {
			return struct{}{}, nil
		}
		return struct{}{}, store.StartWithWorkers(ctx, max(1, workers))
	}, backoff.WithMaxElapsedTime(0))
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		for name, supervisor := range supervisors {
			if err := obeyOne(ctx, store, name, supervisor); err != nil {
				break // The database is away; the next tick asks again.
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func obeyOne(ctx context.Context, store *postgres.Store, name string, supervisor *stack.Supervisor) error {
	if name == "worker" {
		workers, err := store.Workers(ctx)
		if err != nil {
			return err
		}
		if workers > 0 { // The lab has a wish.
			supervisor.Scale(workers)
		}
	}
	commands, err := store.Commands(ctx, name)
	for _, command := range commands {
		if command.Command == postgres.ReplaceCommand {
			if err := supervisor.Replace(ctx); err != nil {
				return err
			}
		}
		if err := store.Done(ctx, command.ID); err != nil {
			return err
		}
	}
	return err
}

// process is a child at work.
type process struct {
	store    *postgres.Store
	instance *postgres.Instance
	probe    step.Probe
	close    func()
}

// join registers this process, waiting for the database and its schema, and arms its probe.
func (a *app) join(ctx context.Context, name string, number int, db databaseFlags, lab bool, o postgres.Options) (
	*process, error,
) {
	instance, err := postgres.Join(ctx, db.DatabaseURL, db.options(name+" instance"), name, number)
	if err != nil {
		return nil, err
	}
	o.Patient = lab
	store, err := postgres.Open(ctx, db.DatabaseURL, o)
	if err != nil {
		return nil, err
	}
	p := &process{store: store, instance: instance, close: store.Close}
	if !lab {
		return p, nil
	}
	o = db.options(name + " probe")
	o.MaxConns, o.Relaxed = 8, true
	trace, err := postgres.Open(ctx, db.DatabaseURL, o)
	if err != nil {
		store.Close()
		return nil, err
	}
	p.probe = step.Probe{Recorder: postgres.NewRecorder(trace, instance.Process)}
	p.store = store.WithProbe(p.probe)
	p.close = func() { store.Close(); trace.Close() }
	p.probe.Note(ctx, step.ProcessStarted, step.Detail{})
	return p, nil
}

// owned is a context that ends with the given one, and when the supervisor of this child is gone.
func owned(ctx context.Context) (context.Context, context.CancelFunc, error) {
	ctx, cancel := context.WithCancel(ctx)
	if err := stack.WatchLifeline(ctx, func() { os.Exit(exitFound) }); err != nil {
		cancel()
		return nil, nil, fmt.Errorf("watch the supervisor: %w", err)
	}
	return ctx, cancel, nil
}
