package stripetest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments/stripetest"
)

// newYear is where the clocks of the list tests stand still.
func newYear() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// fill makes five payments of 1000 to 1004, a minute apart, and returns their intents, oldest first.
func fill(t *testing.T) (bank client, intents []string) {
	t.Helper()
	server := stripetest.NewServerWith(t, stripetest.Config{Now: newYear})
	bank = demo(server)
	for i := range 5 {
		made := bank.create(t, "", payment("amount", strconv.Itoa(1000+i), "customer", fmt.Sprintf("cus_%d", i%2)))
		intents = append(intents, made.text(t, "id"))
		server.Advance(time.Minute)
	}
	return bank, intents
}

// page is what a test wants to know of a list.
type page struct {
	Amounts []int
	More    bool
}

func (r reply) page(t *testing.T, path string) page {
	t.Helper()
	r.wants(t, http.StatusOK, map[string]any{"object": "list", "url": path})
	var body struct {
		Data []struct {
			Amount int `json:"amount"`
		} `json:"data"`
		HasMore bool `json:"has_more"`
	}
	if err := json.Unmarshal([]byte(r.body), &body); err != nil {
		t.Fatal(err)
	}
	got := page{More: body.HasMore}
	for _, object := range body.Data {
		got.Amounts = append(got.Amounts, object.Amount)
	}
	return got
}

func TestLists(t *testing.T) {
	t.Parallel()
	bank, intents := fill(t)
	var charges []string
	for _, id := range intents {
		charges = append(charges, bank.get(t, "/v1/payment_intents/"+id).text(t, "latest_charge"))
	}
	minute := func(i int) string { return strconv.FormatInt(newYear().Add(time.Duration(i)*time.Minute).Unix(), 10) }
	const more, done = true, false
	tests := map[string]struct {
		query string // An id is written as its number, #0 the oldest.
		want  page
	}{
		"all":              {"limit=100", page{[]int{1004, 1003, 1002, 1001, 1000}, done}},
		"first page":       {"limit=2", page{[]int{1004, 1003}, more}},
		"exactly all":      {"limit=5", page{[]int{1004, 1003, 1002, 1001, 1000}, done}},
		"created":          {"created=" + minute(2), page{[]int{1002}, done}},
		"created gt":       {"created[gt]=" + minute(3), page{[]int{1004}, done}},
		"created gte":      {"created[gte]=" + minute(3), page{[]int{1004, 1003}, done}},
		"created lt":       {"created[lt]=" + minute(1), page{[]int{1000}, done}},
		"created lte":      {"created[lte]=" + minute(1), page{[]int{1001, 1000}, done}},
		"created window":   {"created[gte]=" + minute(1) + "&created[lt]=" + minute(3), page{[]int{1002, 1001}, done}},
		"customer":         {"customer=cus_1", page{[]int{1003, 1001}, done}},
		"customer, some":   {"customer=cus_0&limit=2", page{[]int{1004, 1002}, more}},
		"none":             {"customer=cus_9", page{nil, done}},
		"after":            {"limit=2&starting_after=#3", page{[]int{1002, 1001}, more}},
		"after, the rest":  {"starting_after=#1", page{[]int{1000}, done}},
		"after the last":   {"starting_after=#0", page{nil, done}},
		"before":           {"limit=2&ending_before=#0", page{[]int{1002, 1001}, more}},
		"before, the rest": {"ending_before=#2", page{[]int{1004, 1003}, done}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for path, ids := range map[string][]string{"/v1/payment_intents": intents, "/v1/charges": charges} {
				got := bank.get(t, path+"?"+withIDs(test.query, ids)).page(t, path)
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", path, diff)
				}
			}
		})
	}
	t.Run("charges of an intent", func(t *testing.T) {
		t.Parallel()
		got := bank.get(t, "/v1/charges?payment_intent="+intents[2]).page(t, "/v1/charges")
		if diff := cmp.Diff(page{[]int{1002}, false}, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func withIDs(query string, ids []string) string {
	for number, id := range ids {
		query = strings.ReplaceAll(query, "#"+strconv.Itoa(number), id)
	}
	return query
}

func TestListLimitsToTen(t *testing.T) {
	t.Parallel()
	bank := demo(stripetest.NewServer(t))
	for range 11 {
		bank.create(t, "", payment())
	}
	if got := bank.get(t, "/v1/charges").page(t, "/v1/charges"); len(got.Amounts) != 10 || !got.More {
		t.Errorf("%d of 11, more: %v", len(got.Amounts), got.More)
	}
}

func TestInvalidLists(t *testing.T) {
	t.Parallel()
	bank, _ := fill(t)
	tests := map[string]struct{ query, code, param string }{
		"limit zero":        {"limit=0", "parameter_invalid_integer", "limit"},
		"limit large":       {"limit=101", "parameter_invalid_integer", "limit"},
		"limit a word":      {"limit=ten", "parameter_invalid_integer", "limit"},
		"created a word":    {"created=today", "parameter_invalid_integer", "created"},
		"created operator":  {"created[ne]=1", "parameter_unknown", "created[ne]"},
		"cursor unknown":    {"starting_after=pi_1", "resource_missing", "starting_after"},
		"cursor, backwards": {"ending_before=pi_1", "resource_missing", "ending_before"},
		"both cursors":      {"starting_after=a&ending_before=b", "parameters_exclusive", "ending_before"},
		"metadata":          {"metadata[order_id]=o1", "parameter_unknown", "metadata[order_id]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, path := range []string{"/v1/payment_intents?", "/v1/charges?"} {
				bank.get(t, path+test.query).wants(t, http.StatusBadRequest, map[string]any{
					"error.type": "invalid_request_error", "error.code": test.code, "error.param": test.param,
				})
			}
		})
	}
}

func TestListsArePerAccount(t *testing.T) {
	t.Parallel()
	bank, intents := fill(t)
	if got := bank.as("other").get(t, "/v1/charges").page(t, "/v1/charges"); len(got.Amounts) != 0 {
		t.Errorf("another account sees %v", got.Amounts)
	}
	bank.as("other").get(t, "/v1/payment_intents/"+intents[0]).wants(t, http.StatusNotFound, nil)
}
