package tell_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.com/doublecharge/lab/tell"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

func texts(t *testing.T, lang string) map[string]string {
	t.Helper()
	data, err := os.ReadFile("words_" + lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]string
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// TestBothLanguagesSayTheSame: the same keys with the same placeholders, which never carry a suffix, in letters
// that take one column each.
func TestBothLanguagesSayTheSame(t *testing.T) {
	t.Parallel()
	english, turkish := texts(t, "en"), texts(t, "tr")
	placeholder := regexp.MustCompile(`\{\w+\}`)
	sorted := func(text string) string {
		found := placeholder.FindAllString(text, -1)
		slices.Sort(found)
		return strings.Join(found, "")
	}
	for key := range turkish {
		if english[key] == "" {
			t.Errorf("%s is in Turkish only", key)
		}
	}
	for key, text := range english {
		if turkish[key] == "" || sorted(turkish[key]) != sorted(text) {
			t.Errorf("%s: %q and %q", key, text, turkish[key])
		}
		if regexp.MustCompile(`\}['’]?\p{L}`).MatchString(turkish[key]) {
			t.Errorf("%s: a placeholder carries a suffix: %s", key, turkish[key])
		}
		if strings.ContainsFunc(text+turkish[key], func(r rune) bool { return unicode.In(r, unicode.Mn) }) {
			t.Errorf("%s has a letter of two runes, which would be counted as two columns", key)
		}
	}
}

// TestAShortArrowHasRoomForItsWords: between neighbours there is room for eleven letters and the arrow's head.
func TestAShortArrowHasRoomForItsWords(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "tr"} {
		w := words(t, lang)
		for _, kind := range []string{
			"sent", "publishAgain", "deliver", "redeliver", "find", "charge", "charged", "replayed", "declined",
			"unknown", "ack", "retry", "dead",
		} {
			label := w.T("row."+kind, tell.Args{"n": 9, "id": "ch_…WXYZ"})
			if n := utf8.RuneCountInString(label); n > 11 {
				t.Errorf("%s, %s: %q has %d letters", lang, kind, label, n)
			}
		}
	}
}

// TestColourAddsNothingButColour: what is told is told in words and signs too.
func TestColourAddsNothingButColour(t *testing.T) {
	t.Parallel()
	codes := regexp.MustCompile("\x1b\\[[0-9]*m")
	for _, name := range runs() {
		run, w := read(t, name), words(t, "tr")
		coloured := told(w, tell.Paint{Colour: true}, run)
		if !codes.MatchString(coloured) {
			t.Errorf("%s has no colour", name)
		}
		if codes.ReplaceAllString(coloured, "") != told(w, tell.Paint{}, run) {
			t.Errorf("%s reads otherwise without its colours", name)
		}
	}
}

// TestAStrangersStartIsNoRow: only who was seen to die can come back.
func TestAStrangersStartIsNoRow(t *testing.T) {
	t.Parallel()
	worker := func(number int) step.Process { return step.Process{Role: "worker", Number: number, Start: 2, PID: 7} }
	killed := step.Event{
		Step: step.FaultFired, Process: worker(1),
		Detail: step.Detail{Point: "worker.charged", Action: "crash"},
	}
	var story tell.Story
	for i, test := range []struct {
		event step.Event
		row   bool
	}{
		{step.Event{Step: step.ProcessStarted, Process: worker(1)}, false},
		{killed, true},
		{step.Event{Step: step.ProcessStarted, Process: worker(2)}, false},
		{step.Event{Step: step.ProcessStarted, Process: worker(1)}, true},
		{step.Event{Step: step.ProcessStarted, Process: worker(1)}, false},
	} {
		if _, ok := story.Read(test.event); ok != test.row {
			t.Errorf("event %d: row %t", i, ok)
		}
	}
}

func TestTextsAreCutAndAmountsWritten(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("şöyle böyle ", 30)
	lines := tell.Wrap(long, 2)
	for i, line := range lines {
		n := utf8.RuneCountInString(line)
		if n > tell.Width || n < tell.Width-len("şöyle ") && i < len(lines)-1 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	for id, want := range map[string]string{
		"ch_UPWOLYU4VX7RZBR6E5D2BXOVMM": "ch_…OVMM", "01a23033-6895-7e27-92cc-9fcf5b0db67b": "…b67b", "abc": "abc",
	} {
		if got := tell.Tail(id); got != want {
			t.Errorf("the tail of %s is %s", id, got)
		}
	}
	for _, test := range []struct {
		lang  string
		money payments.Money
		want  string
	}{
		{"en", payments.Money{Minor: 42000, Currency: payments.TRY}, "₺420.00"},
		{"tr", payments.Money{Minor: 42005, Currency: payments.TRY}, "₺420,05"},
		{"tr", payments.Money{Minor: 1200, Currency: payments.JPY}, "¥1200"},
	} {
		if got := words(t, test.lang).Amount(test.money); got != test.want {
			t.Errorf("%v in %s is %s", test.money, test.lang, got)
		}
	}
}

// TestVerdictsHaveTheirWords also where no recorded run has them.
func TestVerdictsHaveTheirWords(t *testing.T) {
	t.Parallel()
	amount := payments.Money{Minor: 42000, Currency: payments.TRY}
	judge := func(receipts int64, bank ...string) payments.Verdict {
		e := payments.Evidence{Quiet: true, BankAnswered: true, Deliveries: 1}
		e.Order.Status, e.Order.Receipts = payments.OrderPaid, receipts
		for i, status := range bank {
			e.Bank = append(e.Bank, payments.BankLine{
				ChargeID: string(rune('a' + i)), Status: status, Amount: amount.Minor, Currency: amount.Currency,
			})
		}
		return payments.Judge(e)
	}
	unknown := payments.Judge(payments.Evidence{})
	for want, v := range map[string]payments.Verdict{
		"3 kez çekildi":               judge(1, "succeeded", "succeeded", "succeeded"),
		"₺840,00 fazla":               judge(1, "succeeded", "succeeded", "succeeded"),
		"makbuz iki kez gitti":        judge(2, "succeeded"),
		"makbuz 3 kez gitti":          judge(3, "succeeded"),
		"Reddedildi":                  judge(0, "failed"),
		"yanıtı yalnızca banka bilir": unknown,
	} {
		got := strings.Join(tell.Verdict(words(t, "tr"), tell.Paint{}, v, amount), "\n")
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
		if w := words(t, "tr"); !w.Has(tell.Why(v, "seen-set")) {
			t.Errorf("no words for why %s", v.Verdict)
		}
	}
}
