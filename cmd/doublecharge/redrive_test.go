package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/uuid"

	"example.com/doublecharge/payments"
)

// TestRedrive: a job that failed too often is a dead letter; sent back with the same id it is charged once, and is
// not sent back again.
func TestRedrive(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	d.must("PUT", "/lab/setup", `{"settings":{"strategy":"seen-set-and-key","retry_ms":[100,300,1000]},
		"faults":[{"point":"worker.charged","action":"error","times":4}]}`, nil)
	order, err := d.checkout("ayse", uuid.NewString(), coffee)
	if err != nil {
		t.Fatal(err)
	}
	d.quiet()
	redrive := func(args ...string) string {
		var out, said bytes.Buffer
		code := run(t.Context(), append([]string{"redrive", "--lab", d.base}, args...), &out, &said)
		if code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, said.String())
		}
		return out.String()
	}
	id := order.Attempts[0].MessageID
	for _, step := range []struct {
		args []string
		want []string
	}{
		{[]string{"--dry-run"}, []string{id, "injected error", "goes back", "1 of 1 would be"}},
		{nil, []string{id, "sent back, same id", "1 of 1 sent back."}},
		{nil, []string{"No dead letter waits."}},
		{[]string{"--lang", "tr"}, []string{"Bekleyen dead letter yok."}},
	} {
		out := redrive(step.args...)
		for _, want := range step.want {
			if !strings.Contains(out, want) {
				t.Errorf("redrive %v does not say %q:\n%s", step.args, want, out)
			}
		}
	}
	d.quiet()
	verdict := d.verdict(order.ID)
	if verdict.Verdict != payments.ChargedOnce || verdict.Requests != 5 {
		t.Errorf("the verdict is %+v", verdict)
	}
}
