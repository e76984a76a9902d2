package stripetest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/doublecharge/payments/stripetest"
)

// open starts an emulator on a data file; calling the returned function ends it.
func open(t *testing.T, config stripetest.Config) (client, func()) {
	t.Helper()
	server, err := stripetest.New(config)
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(server)
	return client{url: listener.URL, auth: "Bearer sk_test_demo"}, func() {
		listener.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestReopen(t *testing.T) {
	t.Parallel()
	for _, sync := range []bool{false, true} {
		config := stripetest.Config{Data: dataFile(t), Sync: sync, Now: newYear}
		bank, stop := open(t, config)
		paid := bank.create(t, "paid", payment("description", "<&>\u2028 ş"))
		declined := bank.create(t, "declined", payment("payment_method", "pm_card_chargeDeclined"))
		bank.create(t, "wrong", payment("amount", "1"))
		bank.knob(t, "clock", `{"advance":"23h"}`)
		bank.create(t, "paid", payment("description", "<&>\u2028 ş"))
		charges, journal := bank.get(t, "/v1/charges"), bank.get(t, "/_emulator/requests")
		stop()

		bank, stop = open(t, config)
		if got := bank.get(t, "/v1/charges"); got.body != charges.body {
			t.Errorf("charges were\n%s\nand are\n%s", charges.body, got.body)
		}
		again := bank.create(t, "paid", payment("description", "<&>\u2028 ş"))
		if again.body != paid.body || again.header.Get("Original-Request") != paid.header.Get("Request-Id") {
			t.Errorf("was\n%s\nand is\n%s", paid.body, again.body)
		}
		refused := bank.create(t, "declined", payment("payment_method", "pm_card_chargeDeclined"))
		if refused.status != declined.status || refused.body != declined.body {
			t.Errorf("was\n%s\nand is\n%s", declined.body, refused.body)
		}
		bank.create(t, "wrong", payment("amount", "50")).wants(t, http.StatusOK, nil)
		posts := strings.Count(journal.body, `"POST"`)
		if got := strings.Count(bank.get(t, "/_emulator/requests").body, `"POST"`); got != posts+3 {
			t.Errorf("%d POSTs in the journal, want the %d before and 3", got, posts)
		}
		bank.knob(t, "clock", `{"advance":"1h"}`).wants(t, http.StatusOK, map[string]any{"offset": "24h0m0s"})
		forgotten := bank.create(t, "paid", payment())
		forgotten.wants(t, http.StatusOK, nil)
		if forgotten.header.Get("Idempotent-Replayed") != "" {
			t.Error("the key was remembered for more than a day")
		}
		stop()

		bank, stop = open(t, config)
		if got := bank.create(t, "paid", payment()); got.body != forgotten.body {
			t.Errorf("the second use of the key was\n%s\nand is\n%s", forgotten.body, got.body)
		}
		stop()
	}
}

func TestResetEmptiesTheLog(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"account":"demo"}`} {
		config := stripetest.Config{Data: dataFile(t), Now: newYear}
		bank, stop := open(t, config)
		bank.create(t, "k", payment())
		bank.knob(t, "reset", body).wants(t, http.StatusOK, nil)
		if size := fileSize(t, config.Data); size != 0 {
			t.Errorf("%d bytes after reset %s", size, body)
		}
		bank.create(t, "k", payment("amount", "3000")).wants(t, http.StatusOK, nil)
		stop()
		bank, stop = open(t, config)
		bank.get(t, "/v1/charges").wants(t, http.StatusOK, map[string]any{"data.0.amount": 3000.0, "has_more": false})
		stop()
	}
}

func TestResetOfOneAccountIsRemembered(t *testing.T) {
	t.Parallel()
	config := stripetest.Config{Data: dataFile(t), Now: newYear}
	bank, stop := open(t, config)
	bank.knob(t, "clock", `{"advance":"25h"}`)
	bank.create(t, "k", payment())
	bank.as("other").create(t, "k", payment())
	bank.knob(t, "reset", `{"account":"demo"}`)
	stop()
	bank, stop = open(t, config)
	defer stop()
	bank.create(t, "k", payment("amount", "3000")).wants(t, http.StatusOK,
		map[string]any{"amount": 3000.0, "created": float64(newYear().Unix())})
	bank.as("other").get(t, "/v1/charges").wants(t, http.StatusOK, map[string]any{"data.0.amount": 2000.0})
}

// The clock of all accounts is no account's to reset.
func TestResetOfTheOnlyAccountLeavesTheCommonClock(t *testing.T) {
	t.Parallel()
	config := stripetest.Config{Data: dataFile(t), Now: newYear}
	bank, stop := open(t, config)
	bank.knob(t, "clock", `{"advance":"25h"}`)
	bank.create(t, "k", payment())
	bank.knob(t, "reset", `{"account":"demo"}`)
	stop()
	bank, stop = open(t, config)
	defer stop()
	later := float64(newYear().Add(25 * time.Hour).Unix())
	bank.as("new").create(t, "k", payment()).wants(t, http.StatusOK, map[string]any{"created": later})
}

// The log of three payments is cut at every byte: what was whole is there, the rest is as if it had
// never been asked, and the file can be written to again.
func TestTornLine(t *testing.T) {
	t.Parallel()
	config := stripetest.Config{Data: dataFile(t), Now: newYear}
	bank, stop := open(t, config)
	for _, key := range []string{"a", "b", "c"} {
		bank.create(t, key, payment())
	}
	stop()
	whole, err := os.ReadFile(config.Data)
	if err != nil {
		t.Fatal(err)
	}
	config.Data = dataFile(t)
	for cut := 0; cut <= len(whole); cut += 97 {
		write(t, config.Data, whole[:cut])
		lines := strings.Count(string(whole[:cut]), "\n")
		bank, stop := open(t, config)
		if got := len(bank.get(t, "/v1/charges").at(t, "data").([]any)); got != lines {
			t.Fatalf("cut at %d: %d charges of %d whole lines", cut, got, lines)
		}
		bank.create(t, "c", payment()).wants(t, http.StatusOK, nil)
		stop()
		bank, stop = open(t, config)
		if got := len(bank.get(t, "/v1/charges").at(t, "data").([]any)); got != min(lines+1, 3) {
			t.Fatalf("cut at %d: %d charges after one more", cut, got)
		}
		stop()
	}
}

func TestCorruptLineIsAnError(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	bank, stop := open(t, stripetest.Config{Data: path})
	bank.create(t, "", payment())
	stop()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := append(append([]byte{}, whole...), "{\"account\":\x00\n"...)
	write(t, path, append(damaged, whole...))
	if _, err = stripetest.New(stripetest.Config{Data: path}); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error = %v, want one that names line 2", err)
	}
	if got := fileSize(t, path); got != int64(len(damaged)+len(whole)) {
		t.Error("the damaged file was changed")
	}
}

func TestOneProcessPerFile(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	_, stop := open(t, stripetest.Config{Data: path})
	defer stop()
	if _, err := stripetest.New(stripetest.Config{Data: path}); err == nil {
		t.Error("two emulators write to one file")
	}
}

func TestUnusableFile(t *testing.T) {
	t.Parallel()
	if _, err := stripetest.New(stripetest.Config{Data: t.TempDir()}); err == nil {
		t.Error("a folder was accepted as the data file")
	}
}

// What cannot be written has not happened: no charge, no answer kept, no line in the journal.
func TestLogThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	server, err := stripetest.New(stripetest.Config{Data: dataFile(t)})
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(server)
	defer listener.Close()
	if err := server.Close(); err != nil { // Every write fails from here on.
		t.Fatal(err)
	}
	bank := client{url: listener.URL, auth: "Bearer sk_test_demo"}
	for range 2 {
		got := bank.create(t, "k", payment())
		got.wants(t, http.StatusInternalServerError, map[string]any{"error.type": "api_error"})
	}
	bank.knob(t, "clock", `{"advance":"1h"}`).wants(t, http.StatusInternalServerError, nil)
	bank.knob(t, "reset", `{}`).wants(t, http.StatusInternalServerError, nil)
	if len(server.Charges("")) != 0 || len(server.Requests("")) != 0 {
		t.Errorf("charges %v, journal %v", server.Charges(""), server.Requests(""))
	}
}

// With Sync no answer, not even a read, leaves before the disk has what it shows.
func TestDiskThatCannotSync(t *testing.T) {
	t.Parallel()
	server, err := stripetest.New(stripetest.Config{Data: dataFile(t), Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(server)
	defer listener.Close()
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	bank := client{url: listener.URL, auth: "Bearer sk_test_demo"}
	for range 2 {
		bank.get(t, "/v1/charges").wants(t, http.StatusInternalServerError, map[string]any{"error.type": "api_error"})
	}
}

func TestGroupSync(t *testing.T) {
	t.Parallel()
	config := stripetest.Config{Data: dataFile(t), Sync: true, Now: time.Now}
	bank, stop := open(t, config)
	var calls sync.WaitGroup
	for i := range 16 {
		calls.Go(func() {
			for range 8 {
				if got, err := bank.as("lane_"+string(rune('a'+i))).try(t, http.MethodPost, "/v1/payment_intents", "",
					payment()); err != nil || got.status != http.StatusOK {
					t.Errorf("%v, %d", err, got.status)
				}
			}
		})
	}
	calls.Wait()
	stop()
	whole, err := os.ReadFile(config.Data)
	if got := strings.Count(string(whole), "\n"); err != nil || got != 16*8 {
		t.Errorf("%d lines, want %d (%v)", got, 16*8, err)
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
