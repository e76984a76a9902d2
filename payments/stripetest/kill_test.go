package stripetest_test

import (
	"bufio"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"example.com/doublecharge/payments/stripetest"
)

// TestKill kills an emulator under load, three times over the same file. Whatever a client read to
// its end is there afterwards, byte for byte; whatever it did not is finished by asking again, once.
func TestKill(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	answered, asked := map[string]reply{}, map[string]bool{}
	for round := range 3 {
		got, sent := killUnderLoad(t, path, fmt.Sprintf("round-%d", round))
		maps.Copy(answered, got)
		maps.Copy(asked, sent)
	}
	if len(answered) == 0 || len(answered) == len(asked) {
		t.Logf("%d of %d calls answered: no call was cut by the kill", len(answered), len(asked))
	}

	bank, stop := open(t, stripetest.Config{Data: path})
	defer stop()
	for key, before := range answered {
		after := bank.create(t, key, payment("metadata[key]", key))
		if after.header.Get("Idempotent-Replayed") != "true" || after.body != before.body {
			t.Fatalf("%s was answered\n%s\nand is now\n%s", key, before.body, after.body)
		}
		bank.get(t, "/v1/charges/"+before.text(t, "latest_charge")).wants(t, http.StatusOK,
			map[string]any{"metadata.key": key, "paid": true})
	}
	for key := range asked {
		bank.create(t, key, payment("metadata[key]", key)).wants(t, http.StatusOK, nil)
	}
	bank.knob(t, "clock", `{"advance":"0s"}`)
	if got := countCharges(t, bank); got != len(asked) {
		t.Errorf("%d charges for %d keys", got, len(asked))
	}
}

// TestKillAfterAFault: what was executed is there, with the answer its key keeps; what was armed is not.
func TestKillAfterAFault(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	bank, kill := startChild(t, path)
	bank.knob(t, "faults", `{"kind":"error_500_after"}`).wants(t, http.StatusOK, nil)
	stored := bank.create(t, "stored", payment())
	stored.wants(t, http.StatusInternalServerError, nil)
	for _, kind := range []string{"drop_after", "drop_before"} {
		bank.knob(t, "faults", `{"kind":"`+kind+`"}`).wants(t, http.StatusOK, nil)
		if got, err := bank.try(t, http.MethodPost, "/v1/payment_intents", kind, payment()); err == nil {
			t.Errorf("%s answered %d", kind, got.status)
		}
	}
	bank.knob(t, "faults", `{"kind":"rate_limited","times":9}`).wants(t, http.StatusOK, nil)
	kill()

	bank, stop := open(t, stripetest.Config{Data: path})
	defer stop()
	if got := countCharges(t, bank); got != 2 {
		t.Errorf("%d charges, want those of error_500_after and drop_after", got)
	}
	bank.get(t, "/_emulator/requests").wants(t, http.StatusOK, map[string]any{
		"requests.0.executed": true, "requests.0.status": 500.0,
		"requests.1.executed": true, "requests.1.status": 0.0,
		"requests.2.executed": false, "requests.2.status": 0.0,
	})
	again := bank.create(t, "stored", payment())
	if again.status != stored.status || again.body != stored.body {
		t.Errorf("it was answered\n%s\nand is now\n%s", stored.body, again.body)
	}
	for key, replayed := range map[string]string{"drop_after": "true", "drop_before": ""} {
		got := bank.create(t, key, payment())
		got.wants(t, http.StatusOK, nil)
		if header := got.header.Get("Idempotent-Replayed"); header != replayed {
			t.Errorf("%s: replayed %q, want %q", key, header, replayed)
		}
	}
	if got := countCharges(t, bank); got != 3 {
		t.Errorf("%d charges for 3 keys", got)
	}
}

// killUnderLoad returns the answers that arrived and all keys that were sent.
func killUnderLoad(t *testing.T, path, name string) (answered map[string]reply, asked map[string]bool) {
	t.Helper()
	bank, kill := startChild(t, path)
	answered, asked = map[string]reply{}, map[string]bool{}
	var mu sync.Mutex
	var clients sync.WaitGroup
	enough := make(chan struct{})
	for i := range 8 {
		clients.Go(func() {
			for n := 0; ; n++ {
				key := fmt.Sprintf("%s-%d-%d", name, i, n)
				mu.Lock()
				asked[key] = true
				mu.Unlock()
				got, err := bank.try(t, http.MethodPost, "/v1/payment_intents", key, payment("metadata[key]", key))
				if err != nil {
					return // Killed.
				}
				mu.Lock()
				answered[key] = got
				if len(answered) == 100 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	<-enough
	kill()
	clients.Wait()
	return answered, asked
}

// startChild runs this test binary as an emulator.
func startChild(t *testing.T, path string) (bank client, kill func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), self)
	child.Env = append(os.Environ(), childData+"="+path)
	child.Stderr = t.Output()
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return client{url: strings.TrimSpace(address), auth: "Bearer sk_test_demo"}, func() {
		if err := child.Process.Kill(); err != nil { // SIGKILL.
			t.Error(err)
		}
		_ = child.Wait() // Its complaint is that it was killed.
	}
}

// countCharges reads the whole list, page by page.
func countCharges(t *testing.T, bank client) int {
	t.Helper()
	count, after := 0, ""
	for {
		page := bank.get(t, "/v1/charges?limit=100"+after)
		data, ok := page.at(t, "data").([]any)
		if !ok || len(data) == 0 {
			return count
		}
		count += len(data)
		last, _ := data[len(data)-1].(map[string]any)
		after = fmt.Sprintf("&starting_after=%v", last["id"])
	}
}
