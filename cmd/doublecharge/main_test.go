package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/lab/stack/stacktest"
)

// asProgram makes the test binary be the program: the tests start it as a demo, and its supervisors
// start it again as their children. So what is tested is what ships, and nothing has to be built.
const asProgram = "DOUBLECHARGE_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		stack.WatchParent(ctx, stop) // A killed test leaves nothing behind.
		code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
		stop()
		os.Exit(code)
	}
	os.Exit(stacktest.Main(m))
}
