package seenset_test

import (
	"os"
	"testing"

	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/lab/stack/stacktest"
)

func TestMain(m *testing.M) { os.Exit(stacktest.Main(m, stack.Postgres(true), stack.Redis())) }
