package stack_test

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack"
)

// nothingGiven is an environment without servers.
func nothingGiven(string) string { return "" }

// newStack makes a stack of private servers, or skips the test where there are no binaries for it.
func newStack(t *testing.T, config stack.Config) *stack.Stack {
	t.Helper()
	keeper, err := stack.Keep(t.Context(), []string{os.Args[0], asKeeper}) // for the day this test is killed
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keeper.Close() })
	config.Getenv, config.Keeper = nothingGiven, keeper
	s, err := stack.New(t.Context(), config)
	if missing, ok := errors.AsType[*stack.MissingError](err); ok {
		if os.Getenv("DOUBLECHARGE_REQUIRE_SERVERS") == "1" {
			t.Fatal(missing)
		}
		t.Skip("skipped: ", missing)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

func dial(t *testing.T, address string) {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", at.Host)
	if err != nil {
		t.Fatalf("not reachable: %v", err)
	}
	_ = conn.Close()
}

// TestStackFromStartToClose boots the servers, restarts them, and leaves no process and no folder.
func TestStackFromStartToClose(t *testing.T) {
	t.Parallel()
	kinds := []stack.Kind{stack.Postgres(false), stack.Redis()}
	if !testing.Short() { // a broker takes its time
		kinds = append(kinds, stack.RabbitMQ())
	}
	var heard []stack.State
	s := newStack(t, stack.Config{
		Kinds: kinds,
		OnProgress: func(p stack.Progress) { // one at a time, so there is nothing to lock
			heard = append(heard, p.State)
			t.Log(p.State, p.Server, p.Elapsed.Round(time.Millisecond))
		},
	})
	before := s.Environ()
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(before, s.Environ()) {
		t.Errorf("addresses changed from %v to %v", before, s.Environ())
	}
	if len(heard) != 2*len(kinds) {
		t.Errorf("heard %v, want starting and ready of %d servers", heard, len(kinds))
	}
	for _, server := range s.Servers() {
		dial(t, server.URL())
		begun := time.Now()
		if err := server.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		dial(t, server.URL())
		t.Log("restarted", server.Kind().Name, "in", time.Since(begun).Round(time.Millisecond))
	}
	if users := usersOf(s.Folder()); len(users) < len(kinds) && runtime.GOOS == "linux" {
		t.Errorf("only %v run, so this test would not see who is left", users)
	}
	begun := time.Now()
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Log("closed in", time.Since(begun).Round(time.Millisecond))
	eventually(t, 2*time.Second, "no process is left", func() bool { return len(usersOf(s.Folder())) == 0 })
	if exists(s.Folder()) {
		t.Error("the folder is left")
	}
}

// TestLostPort takes the port away between its choice and its use.
func TestLostPort(t *testing.T) {
	t.Parallel()
	s := newStack(t, stack.Config{Kinds: []stack.Kind{stack.Redis()}})
	first := s.RedisURL()
	listenAt(t, first)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.RedisURL() == first {
		t.Error("the server is said to be at a port that belongs to somebody else")
	}
	dial(t, s.RedisURL())
}

// TestFailureShowsTheLog starts a server that does not come up.
func TestFailureShowsTheLog(t *testing.T) {
	t.Parallel()
	server := script(t, "redis-server", `[ "$1" = --version ] && echo v=1.2.3 && exit; echo no memory today; exit 1`)
	s, err := stack.New(t.Context(), stack.Config{
		Kinds:  []stack.Kind{stack.Redis()},
		Getenv: nothingGiven,
		Find:   func(name string) (string, bool) { return server, name == "redis-server" },
	})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(s.Start(t.Context()), s.Close(t.Context()))
	if err == nil || !strings.Contains(err.Error(), "no memory today") {
		t.Errorf("got %v, want the last lines of the log", err)
	}
}

// script writes a program that stands in for another one.
func script(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// listenAt takes the port of an address until the test ends.
func listenAt(t *testing.T, address string) net.Listener {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}
