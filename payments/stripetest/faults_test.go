package stripetest_test

import (
	"net/http"
	"testing"
	"time"

	"example.com/doublecharge/payments/stripetest"
)

// TestAFaultBeforeExecutionChargesNothing: and no key remembers what was said.
func TestAFaultBeforeExecutionChargesNothing(t *testing.T) {
	t.Parallel()
	for kind, status := range map[stripetest.FaultKind]int{
		stripetest.DropBefore: 0, stripetest.Error500Before: 500, stripetest.RateLimited: 429,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			server := stripetest.NewServer(t)
			server.Arm(stripetest.Fault{Kind: kind})
			got, err := demo(server).try(t, http.MethodPost, "/v1/payment_intents", "k", payment())
			if (err != nil) != (status == 0) || (err == nil && got.status != status) {
				t.Errorf("got %d, %v", got.status, err)
			}
			if n := len(server.Charges()); n != 0 {
				t.Errorf("%d charges", n)
			}
			asked := server.Requests()
			if len(asked) != 1 || asked[0].Executed || asked[0].Status != status {
				t.Errorf("the journal has %+v", asked)
			}
			demo(server).create(t, "k", payment()).wants(t, http.StatusOK, map[string]any{"status": "succeeded"})
			if n := len(server.Charges()); n != 1 {
				t.Errorf("%d charges after another try with the key", n)
			}
		})
	}
}

// TestACutAnswerWasExecuted: the same key finds what was done.
func TestACutAnswerWasExecuted(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	server.Arm(stripetest.Fault{Kind: stripetest.DropAfter})
	if got, err := demo(server).try(t, http.MethodPost, "/v1/payment_intents", "k", payment()); err == nil {
		t.Errorf("it answered %d", got.status)
	}
	asked := server.Requests()
	if len(asked) != 1 || !asked[0].Executed || asked[0].Status != 0 {
		t.Errorf("the journal has %+v", asked)
	}
	again := demo(server).create(t, "k", payment())
	again.wants(t, http.StatusOK, map[string]any{"status": "succeeded"})
	if again.header.Get("Idempotent-Replayed") != "true" || len(server.Charges()) != 1 {
		t.Errorf("%d charges, replayed %q", len(server.Charges()), again.header.Get("Idempotent-Replayed"))
	}
}

// TestAStored500StaysUnderItsKey: the card was charged, and the key says 500 for ever.
func TestAStored500StaysUnderItsKey(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	server.Arm(stripetest.Fault{Kind: stripetest.Error500After})
	first := bank.create(t, "k", payment())
	first.wants(t, http.StatusInternalServerError, map[string]any{"error.type": "api_error"})
	again := bank.create(t, "k", payment())
	if again.status != first.status || again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the second answer is %d %s", again.status, again.body)
	}
	if n := len(server.Charges()); n != 1 {
		t.Errorf("%d charges", n)
	}
	bank.create(t, "k2", payment()).wants(t, http.StatusOK, nil)
}

// TestAHeldCallHasClaimedItsKey: until it is released, the key is in use.
func TestAHeldCallHasClaimedItsKey(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	server.Arm(stripetest.Fault{Kind: stripetest.Hold, DurationMS: 60_000})
	answers := make(chan reply, 1)
	go func() {
		got, err := bank.try(t, http.MethodPost, "/v1/payment_intents", "k", payment())
		if err != nil {
			t.Error(err)
		}
		answers <- got
	}()
	inUse := awaitInUse(t, bank)
	inUse.wants(t, http.StatusConflict, map[string]any{"error.code": "idempotency_key_in_use"})
	if n := len(server.Charges()); n != 0 {
		t.Errorf("%d charges while it is held", n)
	}
	bank.knob(t, "release", `{"account":"demo"}`).wants(t, http.StatusOK, nil)
	held := <-answers
	held.wants(t, http.StatusOK, map[string]any{"status": "succeeded"})
}

// awaitInUse asks with a key that other parameters would spoil, until the held call has it.
func awaitInUse(t *testing.T, bank client) reply {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range 1000 {
		if got := bank.create(t, "k", payment("amount", "3000")); got.status == http.StatusBadRequest {
			return bank.create(t, "k", payment())
		}
		<-tick.C
	}
	t.Fatal("nothing is held")
	return reply{}
}

func TestAFaultStrikesWhomItNamesAsOftenAsItSays(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	bank.knob(t, "faults", `{"kind":"rate_limited","account":"demo","path":"/v1/payment_intents","skip":1,"times":2}`).
		wants(t, http.StatusOK, map[string]any{"kind": "rate_limited", "times": 2.0})
	bank.as("other").create(t, "", payment()).wants(t, http.StatusOK, nil)
	bank.get(t, "/v1/charges").wants(t, http.StatusOK, nil)
	for i, status := range []int{200, 429, 429, 200} {
		if got := bank.create(t, "", payment()); got.status != status {
			t.Errorf("call %d: got %d, want %d", i+1, got.status, status)
		}
	}
}

func TestDisarmedAndForgottenFaultsStrikeNobody(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	for _, forget := range []func(){
		func() {
			got, err := bank.try(t, http.MethodDelete, "/_emulator/faults?account=demo", "", "")
			if err != nil || got.status != http.StatusOK {
				t.Errorf("disarm: %d, %v", got.status, err)
			}
		},
		func() { bank.knob(t, "reset", `{"account":"demo"}`).wants(t, http.StatusOK, nil) },
	} {
		server.Arm(stripetest.Fault{Kind: stripetest.RateLimited, Account: "demo", Times: 9})
		forget()
		bank.create(t, "", payment()).wants(t, http.StatusOK, nil)
	}
}

func TestABadFaultIsRefusedByName(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	for body, field := range map[string]string{
		`{}`: "kind: ", `{"kind":"explode"}`: "kind: ", `{"kind":"delay","times":0}`: "times: ",
		`{"kind":"delay","skip":-1}`: "skip: ", `{"kind":"delay","duration_ms":0}`: "duration_ms: ",
		`{"kind":"delay","path":"/lab"}`: "path: ", `{"kind":"delay","times":"2"}`: "times: ",
		`{"kind":"delay","colour":"red"}`: "unknown field",
	} {
		got := bank.knob(t, "faults", body)
		if text := got.text(t, "error"); got.status != http.StatusBadRequest || len(text) < len(field) ||
			text[:len(field)] != field {
			t.Errorf("%s: got %d %q, want it to begin with %q", body, got.status, text, field)
		}
	}
}
