package stripetest_test

import (
	"net/http"
	"strings"
	"testing"

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
	entered, answers := make(chan struct{}, 2), make(chan reply, 1)
	server := stripetest.NewServerWith(t, stripetest.Config{Executing: func(*http.Request) { entered <- struct{}{} }})
	bank := demo(server)
	bank.knob(t, "faults", `{"kind":"hold","account":"demo","duration_ms":600000}`).wants(t, http.StatusOK, nil)
	go func() {
		got, err := bank.try(t, http.MethodPost, "/v1/payment_intents", "k", payment())
		if err != nil {
			t.Error(err)
		}
		answers <- got
	}()
	<-entered
	bank.create(t, "k", payment()).wants(t, http.StatusConflict,
		map[string]any{"error.code": "idempotency_key_in_use"})
	if n := len(server.Charges()); n != 0 {
		t.Errorf("%d charges while it is held", n)
	}
	bank.knob(t, "release", `{"account":"demo"}`).wants(t, http.StatusOK, map[string]any{"released": true})
	first := <-answers
	first.wants(t, http.StatusOK, map[string]any{"status": "succeeded"})
	if again := bank.create(t, "k", payment()); again.body != first.body || len(server.Charges()) != 1 {
		t.Errorf("%d charges, and not replayed: %s", len(server.Charges()), again.body)
	}
}

// TestAReadIsExecutedToo: its path is that of the calls that change something.
func TestAReadIsExecutedToo(t *testing.T) {
	t.Parallel()
	for kind, status := range map[stripetest.FaultKind]int{
		stripetest.Error500Before: 500, stripetest.Error500After: 500, stripetest.RateLimited: 429,
	} {
		server := stripetest.NewServer(t)
		server.Arm(stripetest.Fault{Kind: kind, Path: "/v1/payment_intents"})
		demo(server).get(t, "/v1/payment_intents").wants(t, status, nil)
		demo(server).get(t, "/v1/payment_intents").wants(t, http.StatusOK, nil)
	}
}

// TestACutCallIsLogged: the emulator's operator sees what its client does not.
func TestACutCallIsLogged(t *testing.T) {
	t.Parallel()
	logged := &logs{}
	server := stripetest.NewServerWith(t, stripetest.Config{Logger: logged.logger()})
	server.Arm(stripetest.Fault{Kind: stripetest.DropAfter})
	if got, err := demo(server).try(t, http.MethodPost, "/v1/payment_intents", "k", payment()); err == nil {
		t.Errorf("it answered %d", got.status)
	}
	if text := logged.String(); !strings.Contains(text, "status=0") {
		t.Errorf("the log has no call with status 0: %s", text)
	}
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

func TestTheOldestMatchStrikesFirst(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	server.Arm(stripetest.Fault{Kind: stripetest.Error500Before, Account: "other"})
	server.Arm(stripetest.Fault{Kind: stripetest.RateLimited, Skip: 1})
	server.Arm(stripetest.Fault{Kind: stripetest.Error500Before})
	for i, status := range []int{200, 429, 500, 200} {
		if got := demo(server).create(t, "", payment()); got.status != status {
			t.Errorf("call %d: got %d, want %d", i+1, got.status, status)
		}
	}
}

func TestDisarmedAndForgottenFaultsStrikeNobody(t *testing.T) {
	t.Parallel()
	server := stripetest.NewServer(t)
	bank := demo(server)
	server.Arm(stripetest.Fault{Kind: stripetest.Error500Before, Account: "other"})
	for _, forget := range []func(){
		func() {
			bank.send(t, http.MethodDelete, "/_emulator/faults?account=demo", "", "").
				wants(t, http.StatusOK, map[string]any{"disarmed": true})
		},
		func() { bank.knob(t, "reset", `{"account":"demo"}`).wants(t, http.StatusOK, nil) },
	} {
		server.Arm(stripetest.Fault{Kind: stripetest.RateLimited, Account: "demo", Times: 9})
		forget()
		bank.create(t, "", payment()).wants(t, http.StatusOK, nil)
	}
	if got := bank.get(t, "/_emulator/faults?account=demo").body; got != "{\"faults\":[]}\n" {
		t.Errorf("still armed for demo: %s", got)
	}
	bank.get(t, "/_emulator/faults").wants(t, http.StatusOK, map[string]any{
		"faults.0.kind": "error_500_before", "faults.0.account": "other", "faults.0.times": 1.0,
		"faults.0.skip": 0.0, "faults.0.duration_ms": 2000.0,
	})
	bank.send(t, http.MethodDelete, "/_emulator/faults", "", "").wants(t, http.StatusOK, nil)
	bank.as("other").create(t, "", payment()).wants(t, http.StatusOK, nil)
}

func TestABadFaultIsRefusedByName(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	for body, begins := range map[string]string{
		``: "kind: ", `{}`: "kind: ", `{"kind":"explode"}`: "kind: ", `{"kind":5}`: "kind: want a string,",
		`{"kind":"delay","times":0}`: "times: ", `{"kind":"delay","times":-1}`: "times: ",
		`{"kind":"delay","times":"2"}`: "times: ", `{"kind":"delay","skip":-1}`: "skip: ",
		`{"kind":"delay","duration_ms":0}`: "duration_ms: ", `{"kind":"delay","duration_ms":600001}`: "duration_ms: ",
		`{"kind":"delay","path":"/lab"}`: "path: ", `{"kind":"delay","colour":"red"}`: `unknown field "colour"`,
	} {
		got := bank.knob(t, "faults", body)
		got.wants(t, http.StatusBadRequest, nil)
		if text := got.text(t, "error"); !strings.HasPrefix(text, begins) {
			t.Errorf("%s: %q does not begin with %q", body, text, begins)
		}
	}
	bank.knob(t, "release", `{"acount":"demo"}`).wants(t, http.StatusBadRequest, nil)
	if got := bank.get(t, "/_emulator/faults").body; got != "{\"faults\":[]}\n" {
		t.Errorf("a refused fault is armed: %s", got)
	}
}
