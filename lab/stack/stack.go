package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Config says which servers a stack has and how it finds them. The zero value is PostgreSQL and
// RabbitMQ, found in the environment of this process.
type Config struct {
	// Kinds are the servers wanted. Default: Postgres(false) and RabbitMQ().
	Kinds []Kind
	// Keeper cleans up when this process dies. Default: nobody does.
	Keeper *Keeper
	// Logger gets a line per server. Default: silence.
	Logger *slog.Logger
	// OnProgress hears of every change, one at a time. Default: nobody does.
	OnProgress func(Progress)
	// Getenv reads the URLs of servers that are already there. Default: os.Getenv.
	Getenv func(string) string
	// Find locates installed programs. Default: FindInstalled.
	Find Finder
}

// State is how far a server has come.
type State string

// The states of a server, in the order in which they come; only one of the last two does.
const (
	Starting State = "starting"
	Ready    State = "ready"
	Failed   State = "failed"
)

// Progress tells that a server has reached a state.
type Progress struct {
	Server  Server
	State   State
	Elapsed time.Duration // since Start
	Err     error         // why it failed
}

// Stack is the servers of the lab, brought up and taken down together.
type Stack struct {
	config  Config
	folder  string
	servers []Server
	report  sync.Mutex // OnProgress hears one thing at a time
}

// New chooses where each server comes from, and its address; nothing runs yet. A stack must be closed.
func New(ctx context.Context, config Config) (*Stack, error) {
	if config.Kinds == nil {
		config.Kinds = []Kind{Postgres(false), RabbitMQ()}
	}
	if config.Getenv == nil {
		config.Getenv = os.Getenv
	}
	if config.Find == nil {
		config.Find = FindInstalled
	}
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	folder, err := newFolder(config.Keeper)
	if err != nil {
		return nil, err
	}
	s := &Stack{config: config, folder: folder}
	for _, kind := range config.Kinds {
		server, err := s.choose(ctx, kind)
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(folder))
		}
		s.servers = append(s.servers, server)
	}
	return s, nil
}

// newFolder makes the folder of all servers. Others may pass through it, for PostgreSQL runs as
// another user when we are root, but may not look around.
func newFolder(keeper *Keeper) (string, error) {
	folder, err := os.MkdirTemp("", "doublecharge-")
	if err != nil {
		return "", fmt.Errorf("make a folder for the servers: %w", err)
	}
	if err := keeper.Watch(Leftover{Folder: folder}); err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	return folder, os.Chmod(folder, 0o711) //nolint:gosec // see above
}

// choose takes a server that was named, else one that can be made from installed binaries, else a
// container.
func (s *Stack) choose(ctx context.Context, kind Kind) (Server, error) {
	if url := s.config.Getenv(kind.Variable); url != "" {
		return given{kind: kind, url: url}, nil
	}
	if recipe, found := kind.locate(ctx, s.config.Find); found {
		return newPrivate(ctx, kind, recipe, s.folder, s.config.Keeper)
	}
	server, err := newContainer(ctx, kind, s.config.Find, s.config.Keeper)
	if err != nil {
		s.config.Logger.DebugContext(ctx, "no container either", "server", kind.Name, "error", err)
		return nil, missing(kind)
	}
	return server, nil
}

// Start brings all servers up side by side and returns when all answer. The first failure ends the
// others' waiting.
func (s *Stack) Start(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	begun := time.Now()
	var group sync.WaitGroup
	for _, server := range s.servers {
		group.Go(func() {
			s.progress(ctx, Progress{Server: server, State: Starting})
			if err := server.Start(ctx); err != nil {
				s.progress(ctx, Progress{Server: server, State: Failed, Elapsed: time.Since(begun), Err: err})
				cancel(err) // the first cause stays
				return
			}
			s.progress(ctx, Progress{Server: server, State: Ready, Elapsed: time.Since(begun)})
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

func (s *Stack) progress(ctx context.Context, p Progress) {
	s.report.Lock()
	defer s.report.Unlock()
	s.config.Logger.InfoContext(ctx, "server", "state", p.State, "which", p.Server.String(), "elapsed", p.Elapsed)
	if s.config.OnProgress != nil {
		s.config.OnProgress(p)
	}
}

// Close stops all servers side by side and removes their folder. The end of ctx makes it hasty,
// not incomplete.
func (s *Stack) Close(ctx context.Context) error {
	failures := make([]error, len(s.servers))
	var group sync.WaitGroup
	for i, server := range s.servers {
		group.Go(func() { failures[i] = server.Stop(ctx) })
	}
	group.Wait()
	return errors.Join(errors.Join(failures...), os.RemoveAll(s.folder))
}
