package main

import (
	"bytes"
	"strings"
	"testing"
)

// The tests of this file set the environment, so they do not run side by side.

// TestEveryCommandRefusesALiveKey holds for those too that never talk to the bank.
func TestEveryCommandRefusesALiveKey(t *testing.T) { //nolint:paralleltest // It sets the environment.
	for _, key := range []string{"sk_live_verysecret", "rk_live_verysecret", "pk_test_verysecret", "sk_test_"} {
		t.Setenv("STRIPE_SECRET_KEY", key)
		for _, command := range []string{
			"demo", "api", "relay", "worker", "mailer", "stripe", "migrate", "healthcheck", "ready",
		} {
			code, stdout, stderr := execute(t, command)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, "live keys are refused") {
				t.Errorf("%s with %s: code %d, %q", command, key, code, stderr)
			}
			if strings.Contains(stderr, "verysecret") {
				t.Errorf("%s shows the key: %q", command, stderr)
			}
		}
	}
}

func TestExitCodesAndOneLine(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	t.Setenv("AMQP_URL", "")
	for _, test := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"help is no failure", []string{"--help"}, 0, ""},
		{"an unknown command", []string{"frobnicate"}, exitUsage, "frobnicate"},
		{"an unknown flag", []string{"demo", "--frobnicate"}, exitUsage, "--frobnicate"},
		{"a flag of the wrong type", []string{"worker", "--workers", "many"}, exitUsage, "--workers"},
		{"too few workers", []string{"demo", "--workers=-1"}, exitUsage, "--workers must be 1 to 8"},
		{"no database", []string{"worker"}, exitMissing, "DATABASE_URL"},
		{"a bad address", []string{"relay", "--amqp-url", "amqp://u:s3c%zr@h/"}, exitUsage, "AMQP_URL is no address"},
		{"no broker", []string{"relay", "--database-url", "postgres://127.0.0.1:1/x"}, exitMissing, "AMQP_URL"},
		{"nobody answers", []string{"healthcheck", "http://127.0.0.1:1/healthz"}, exitFound, "127.0.0.1:1"},
	} {
		code, _, stderr := execute(t, test.args...)
		if code != test.code || !strings.Contains(stderr, test.says) || strings.Contains(stderr, "s3c") {
			t.Errorf("%s: code %d, %q; want %d and %q", test.name, code, stderr, test.code, test.says)
		}
	}
}

func execute(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}
