package postgrestest_test

import (
	"os"
	"testing"

	"example.com/doublecharge/lab/stack"
	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments/postgres/postgrestest"
)

func TestMain(m *testing.M) { os.Exit(stacktest.Main(m, stack.Postgres(true))) }

func TestOpenGivesEveryTestTablesOfItsOwn(t *testing.T) {
	t.Parallel()
	one, other := postgrestest.Open(t), postgrestest.Open(t)
	if _, err := one.Give(t.Context(), "worker", "replace"); err != nil {
		t.Fatal(err)
	}
	commands, err := other.Commands(t.Context(), "worker")
	if err != nil || len(commands) != 0 {
		t.Errorf("the other test sees %v, %v", commands, err)
	}
}

func TestOpenWithLeadsToTheSameTables(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	one, other := postgrestest.OpenWith(t, options), postgrestest.OpenWith(t, options)
	if _, err := one.Give(t.Context(), "worker", "replace"); err != nil {
		t.Fatal(err)
	}
	commands, err := other.Commands(t.Context(), "worker")
	if err != nil || len(commands) != 1 {
		t.Errorf("the second store sees %v, %v", commands, err)
	}
}
