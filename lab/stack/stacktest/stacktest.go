// Package stacktest gives tests real servers: those named in the environment, or private ones that
// live as long as the test binary. A package of tests asks for them in its TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(stacktest.Main(m)) }
//
// and each test that needs them in its first line:
//
//	servers := stacktest.Servers(t)
package stacktest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack"
)

const (
	// keeperCommand is the first argument of a test binary that runs as the keeper of another one.
	keeperCommand = "keeper"
	// absentVariable tells Servers why there are none. TestMain and the tests share nothing but the
	// environment, so that is how the one talks to the others.
	absentVariable  = "DOUBLECHARGE_SERVERS_ABSENT"
	requireVariable = "DOUBLECHARGE_REQUIRE_SERVERS"
	closeLimit      = 20 * time.Second
)

// Addresses are where the servers are.
type Addresses struct {
	DatabaseURL string
	AMQPURL     string
	RedisURL    string // empty unless Main was asked for Redis, or it was given
}

// Main runs the tests of a package with servers around them and returns the exit code. Without kinds
// they are PostgreSQL, RabbitMQ and Redis. With -short it starts none, but uses those that are given.
func Main(m *testing.M, kinds ...stack.Kind) int {
	ctx := context.Background()
	if len(os.Args) > 1 && os.Args[1] == keeperCommand {
		return report(stack.RunKeeper(ctx, os.Stdin))
	}
	flag.Parse()
	stack.WatchParent(ctx, func() { os.Exit(1) }) // the keeper does the rest
	if kinds == nil {
		kinds = []stack.Kind{stack.Postgres(true), stack.RabbitMQ(), stack.Redis()}
	}
	code := 0
	err := with(ctx, kinds, func() { code = m.Run() })
	return max(code, report(err))
}

// Servers returns the addresses, or skips the test and says why; with DOUBLECHARGE_REQUIRE_SERVERS=1
// it fails the test instead.
func Servers(tb testing.TB) Addresses {
	tb.Helper()
	addresses := Addresses{
		DatabaseURL: os.Getenv("DATABASE_URL"),
		AMQPURL:     os.Getenv("AMQP_URL"),
		RedisURL:    os.Getenv("REDIS_URL"),
	}
	why := os.Getenv(absentVariable)
	switch {
	case why == "" && addresses.DatabaseURL+addresses.AMQPURL != "":
		return addresses
	case why == "":
		why = "TestMain does not call stacktest.Main"
	}
	if os.Getenv(requireVariable) == "1" {
		tb.Fatalf("this test needs real servers: %s", why)
	}
	tb.Skipf("skipped, it needs real servers: %s", why)
	return Addresses{}
}

// with runs the tests while the servers are up, and without servers when there cannot be any.
func with(ctx context.Context, kinds []stack.Kind, tests func()) (err error) {
	if testing.Short() && slices.ContainsFunc(kinds, absent) {
		return without("-short was given", tests)
	}
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this test binary: %w", err)
	}
	keeper, err := stack.Keep(ctx, []string{exe, keeperCommand})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, keeper.Close()) }()

	servers, err := stack.New(ctx, stack.Config{Kinds: kinds, Keeper: keeper})
	if missing, ok := errors.AsType[*stack.MissingError](err); ok {
		return without(missing.Error(), tests)
	}
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(ctx, closeLimit)
		defer cancel()
		err = errors.Join(err, servers.Close(closing))
	}()
	return between(ctx, servers, tests)
}

// absent tells whether a server would have to be started.
func absent(kind stack.Kind) bool { return os.Getenv(kind.Variable) == "" }

// between starts the servers and tells the tests where they are.
func between(ctx context.Context, servers *stack.Stack, tests func()) error {
	if err := servers.Start(ctx); err != nil {
		return err
	}
	for _, server := range servers.Servers() {
		if err := os.Setenv(server.Kind().Variable, server.URL()); err != nil {
			return fmt.Errorf("tell the tests of a server: %w", err)
		}
	}
	tests()
	return nil
}

// without runs the tests anyway: those that need no server tell as much as ever.
func without(why string, tests func()) error {
	if err := os.Setenv(absentVariable, why); err != nil {
		return fmt.Errorf("tell the tests why there are no servers: %w", err)
	}
	tests()
	return nil
}

func report(err error) (code int) {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "stacktest:", err)
	return 1
}
