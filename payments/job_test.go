package payments_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
)

const someMessage = "0197a1c2-0000-7000-8000-000000000001"

func someJob() payments.ChargeJob {
	return payments.ChargeJob{
		MessageID: someMessage, OrderID: "0197a1c2-0000-7000-8000-000000000002", Account: "ayse",
		Amount: 42000, Currency: payments.TRY, PaymentMethod: "pm_card_visa", Strategy: "naive",
		CreatedAt: time.Date(2026, 11, 30, 9, 0, 0, 123000, time.UTC),
	}
}

func TestAChargeJobSurvivesTheBroker(t *testing.T) {
	t.Parallel()
	want := someJob()
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := payments.DecodeChargeJob(want.MessageID, body)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what was published is not what was read (-want +got):\n%s", diff)
	}
	if total := got.Total(); total.String() != "420.00 try" {
		t.Errorf("the total is %s", total)
	}
}

func TestDecodeChargeJobRefusesWhatCanNeverBeCharged(t *testing.T) {
	t.Parallel()
	with := func(name string, value any) string {
		fields := map[string]any{}
		data, _ := json.Marshal(someJob())
		_ = json.Unmarshal(data, &fields)
		if value == nil {
			maps.DeleteFunc(fields, func(n string, _ any) bool { return n == name })
		} else {
			fields[name] = value
		}
		data, _ = json.Marshal(fields)
		return string(data)
	}
	for name, c := range map[string]struct{ id, body, says string }{
		"no message id":         {"", with("", nil), "message id"},
		"another message id":    {"other", with("", nil), "message id"},
		"no id in the body":     {someMessage, with("message_id", nil), "message id"},
		"not JSON":              {someMessage, "charge!", "charge job"},
		"nothing":               {someMessage, "", "charge job"},
		"null":                  {someMessage, "null", "message id"},
		"a list":                {someMessage, "[]", "charge job"},
		"two values":            {someMessage, with("", nil) + "{}", "charge job"},
		"broken off":            {someMessage, with("", nil)[:40], "charge job"},
		"no order":              {someMessage, with("order_id", nil), "order_id"},
		"no account":            {someMessage, with("account", nil), "account"},
		"no card":               {someMessage, with("payment_method", nil), "payment_method"},
		"no time":               {someMessage, with("created_at", nil), "created_at"},
		"no time, but a text":   {someMessage, with("created_at", "yesterday"), "charge job"},
		"no amount":             {someMessage, with("amount", nil), "amount"},
		"amount of zero":        {someMessage, with("amount", 0), "amount"},
		"negative amount":       {someMessage, with("amount", -1), "amount"},
		"amount over the limit": {someMessage, with("amount", payments.MaxAmount+1), "amount"},
		"amount as a float":     {someMessage, with("amount", 1.5), "amount"},
		"amount as a text":      {someMessage, with("amount", "42000"), "amount"},
		"no currency":           {someMessage, with("currency", nil), "currency"},
		"unknown currency":      {someMessage, with("currency", "TRY"), "currency"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := payments.DecodeChargeJob(c.id, []byte(c.body))
			if !errors.Is(err, payments.ErrHopeless) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want it hopeless because of %s", err, c.says)
			}
		})
	}
}

// FuzzDecodeChargeJob: whatever a broker hands out is either hopeless, or a job that can be charged and
// is the same after another trip.
func FuzzDecodeChargeJob(f *testing.F) {
	body, err := json.Marshal(someJob())
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{string(body), "null", "", "{}", `{"amount":1e3}`, `{"message_id":null}`} {
		f.Add(someMessage, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, id string, body []byte) {
		job, err := payments.DecodeChargeJob(id, body)
		if err != nil {
			if !errors.Is(err, payments.ErrHopeless) {
				t.Fatalf("%v is not hopeless", err)
			}
			return
		}
		if job.MessageID != id || job.Amount < 1 || job.Amount > payments.MaxAmount {
			t.Fatalf("%+v was let through", job)
		}
		again, err := json.Marshal(job)
		if err != nil {
			t.Fatal(err)
		}
		same, err := payments.DecodeChargeJob(id, again)
		if err != nil || !cmp.Equal(job, same) {
			t.Fatalf("after another trip: %v, %s", err, cmp.Diff(job, same))
		}
	})
}
