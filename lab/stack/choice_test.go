package stack_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/doublecharge/lab/stack"
)

func TestMissingSaysHow(t *testing.T) {
	t.Parallel()
	_, err := stack.New(t.Context(), stack.Config{
		Getenv: nothingGiven,
		Find:   func(string) (string, bool) { return "", false },
	})
	missing, ok := errors.AsType[*stack.MissingError](err)
	if !ok || missing.Name != "PostgreSQL" {
		t.Fatalf("got %v, want that PostgreSQL is missing", err)
	}
	if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, "apt install postgresql") {
		t.Errorf("%q does not say in one line how to get it", text)
	}
}

func TestGivenServersAreUsedAsTheyAre(t *testing.T) {
	t.Parallel()
	s, err := stack.New(t.Context(), stack.Config{
		Getenv: func(name string) string { return "given://secret@" + name },
		Find:   func(string) (string, bool) { return "", false },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Start(t.Context()), s.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got, want := s.AMQPURL(), "given://secret@AMQP_URL"; got != want {
		t.Errorf("AMQP URL is %q, want %q", got, want)
	}
	if got, want := s.Servers()[0].String(), "PostgreSQL given in DATABASE_URL"; got != want {
		t.Errorf("the server says %q, want %q", got, want)
	}
}

// TestContainer runs a pretended Docker, a script that only notes what it is asked to do.
func TestContainer(t *testing.T) {
	t.Parallel()
	notes := filepath.Join(t.TempDir(), "notes")
	docker := script(t, "docker", `echo "$@" >> `+notes)
	s, err := stack.New(t.Context(), stack.Config{
		Kinds:  []stack.Kind{stack.Postgres(false)},
		Getenv: nothingGiven,
		Find:   func(name string) (string, bool) { return docker, name == "docker" },
	})
	if err != nil {
		t.Fatal(err)
	}
	listener := listenAt(t, s.DatabaseURL())
	go func() { // ends with the listener
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("R"))
			_ = conn.Close()
		}
	}()
	if err := errors.Join(s.Start(t.Context()), s.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(notes)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"run --rm --detach --name doublecharge-postgresql-",
		"--publish " + listener.Addr().String() + ":5432",
		"postgres:17-alpine postgres -c max_connections=300",
		"rm --force --volumes doublecharge-postgresql-",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("docker was not asked for %q, but for\n%s", want, got)
		}
	}
}
