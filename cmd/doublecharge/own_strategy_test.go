package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/lab/stack/stacktest"
)

// long runs what takes minutes, for make check.
var long = flag.Bool("long", false, "run the tests that take minutes")

const (
	page        = "../../docs/write-your-own-strategy.md"
	strategies  = "../../worker/strategy"
	lineAbove   = `		{"redelivered-only", RedeliveredOnly{t.Seen, t.Bank, t.Ledger}},` + "\n"
	theDefaults = strategies + "/seen_set_and_key.go"
)

// TestThePageOnOwnStrategiesIsTrue does what the page says: its file, its line, its commands.
func TestThePageOnOwnStrategiesIsTrue(t *testing.T) {
	t.Parallel()
	text := read(t, page)
	blocks := regexp.MustCompile("(?s)```(?:go|sh|)\n(.*?)```").FindAllStringSubmatch(text, -1)
	if len(blocks) != 6 {
		t.Fatalf("the page has %d blocks", len(blocks))
	}
	file, line, schedule := blocks[0][1], blocks[1][1], strings.TrimSpace(blocks[3][1])
	all := read(t, strategies+"/strategy.go")
	if strings.Count(all, lineAbove) != 1 {
		t.Fatal("the last line of All is another one by now")
	}
	exe := buildWith(t, map[string]string{
		strategies + "/mark_and_key.go": file,
		strategies + "/strategy.go":     strings.Replace(all, lineAbove, lineAbove+line, 1),
	})
	for i, command := range []string{"explore", "matrix"} {
		want := "go run ./cmd/doublecharge " + command + " --strategy mark-and-key"
		if got := strings.TrimSpace(blocks[2+2*i][1]); got != want {
			t.Errorf("the page says %q, and what is tried is %q", got, want)
		}
	}
	report, code := exploreWith(t, exe, "mark-and-key")
	if code != exitFound || len(report.Strategies) != 1 || len(report.Strategies[0].Violations) == 0 {
		t.Fatalf("exit %d, %+v", code, report)
	}
	if found := report.Strategies[0].Violations[0]; found.Schedule != schedule || found.Property != explore.Lost {
		t.Errorf("it finds that %s breaks %s by\n%s\nthe page says\n%s", found.Adversary, found.Property,
			found.Schedule, schedule)
	}
	result, code := matrixWith(t, exe, "--strategy", "mark-and-key", "--fault", "crash:worker.recorded",
		"--fault", "crash:worker.acked")
	if code != exitFound || len(result.Cells) != 2 || result.Cells[0].Mark() != "0!" ||
		result.Cells[1].Mark() != "ok" {
		t.Errorf("exit %d, %+v", code, result.Cells)
	}
}

// TestEveryGuardOfTheDefaultIsFoundMissing takes out each guarding line of the default's own file in turn,
// and builds the program with it. The explorer and the matrix both must find it.
func TestEveryGuardOfTheDefaultIsFoundMissing(t *testing.T) { //nolint:paralleltest // Minutes of builds.
	if !*long {
		t.Skip("builds the program six times: make check runs it, with -long")
	}
	source := read(t, theDefaults)
	//nolint:paralleltest // As above.
	for name, c := range map[string]struct{ line, without string }{
		"the key": {"return s.Bank.Charge(ctx, d.Job(), key)", "return s.Bank.Charge(ctx, d.Job(), payments.NoKey)"},
		"asking the bank when the job is old": {
			"if d.Age() >= keyTooOldAt {", "if d.Age() >= 1000*keyTooOldAt {",
		},
		"waiting for a bank that is silent": {
			"err != nil || found {\n\t\t\treturn outcome, err", "err == nil && found {\n\t\t\treturn outcome, err",
		},
		"believing what the bank has found": {
			"err != nil || found {\n\t\t\treturn", "err != nil || found && false {\n\t\t\treturn",
		},
		"unknown is not charged": {
			"	if err != nil {\n\t\treturn err\n\t}\n\treturn s.Ledger", "	_ = err\n\treturn s.Ledger",
		},
		"the mark in the same transaction": {
			"s.Ledger.ApplyOnce(ctx, key, d.Job(), outcome)", "s.Ledger.Apply(ctx, d.Job(), outcome)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Count(source, c.line) != 1 {
				t.Fatalf("the line is not there once: %s", c.line)
			}
			exe := buildWith(t, map[string]string{theDefaults: strings.Replace(source, c.line, c.without, 1)})
			if report, code := exploreWith(t, exe, "seen-set-and-key"); code != exitFound || report.Strategies[0].Safe {
				t.Errorf("the explorer does not find it: exit %d", code)
			}
			if result, code := matrixWith(t, exe, "--strategy", "seen-set-and-key"); code != exitFound {
				t.Errorf("the matrix does not find it: exit %d, %+v", code, result.Summary)
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// buildWith builds the program as if some files were other ones.
func buildWith(t *testing.T, files map[string]string) (exe string) {
	t.Helper()
	folder := t.TempDir()
	replace := map[string]string{}
	for path, text := range files {
		absolute, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		replace[absolute] = filepath.Join(folder, filepath.Base(path))
		if err := os.WriteFile(replace[absolute], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	exe = filepath.Join(folder, "doublecharge")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", list, "-o", exe, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

func exploreWith(t *testing.T, exe, id string) (report explore.Report, code int) {
	t.Helper()
	code = output(t, exe, &report, "explore", "--strategy", id, "--format", "json")
	return report, code
}

func matrixWith(t *testing.T, exe string, args ...string) (result matrix.Result, code int) {
	t.Helper()
	args = append([]string{"matrix", "--format", "json", "--lanes", "4", "--log-level", "error"}, args...)
	return result, output(t, exe, &result, args...)
}

// output runs a program and decodes what it prints.
func output(t *testing.T, exe string, into any, args ...string) (code int) {
	t.Helper()
	servers := stacktest.Servers(t)
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), "DATABASE_URL="+servers.DatabaseURL, "AMQP_URL="+servers.AMQPURL,
		"REDIS_URL="+servers.RedisURL)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if decodeErr := json.Unmarshal(out, into); decodeErr != nil {
		t.Fatalf("%v, %v: %s\n%s", err, decodeErr, out, said.String())
	}
	return cmd.ProcessState.ExitCode()
}
