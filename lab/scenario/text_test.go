package scenario_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/matrix"
	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/payments/step"
)

// TestEveryWordIsSaidInBothLanguages, and what can be measured has a word.
func TestEveryWordIsSaidInBothLanguages(t *testing.T) {
	t.Parallel()
	words, err := scenario.Words()
	if err != nil {
		t.Fatal(err)
	}
	for key, text := range words {
		if text[0] == "" || text[1] == "" {
			t.Errorf("%s is %q", key, text)
		}
	}
	for _, s := range lesson(t) {
		for _, run := range s.Runs {
			for measure, value := range run.Expect {
				if _, known := words["measure."+string(measure)]; !known {
					t.Errorf("there is no word for %s", measure)
				}
				_, known := words["value."+string(value)]
				if isWord := strings.Trim(string(value), "0123456789") != ""; isWord && !known {
					t.Errorf("%s: there is no word for %q", s.Name, value)
				}
			}
		}
	}
}

// TestEveryMarkOfTheMatrixHasItsWords.
func TestEveryMarkOfTheMatrixHasItsWords(t *testing.T) {
	t.Parallel()
	words, err := scenario.Words()
	if err != nil {
		t.Fatal(err)
	}
	cells, err := matrix.Plan(step.MatrixSpec{})
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range cells {
		mark := catalogue.Mark(cell.Expected, cell.MustBe)
		if _, known := words["mark."+mark]; !known && cell.State == matrix.Ran {
			t.Errorf("%s, %s: there is no word for %q", cell.Strategy, cell.Fault, mark)
		}
	}
}

// played is a report in which everything is as expected, but for the checks that are named.
func played(s scenario.Scenario, wrong ...string) scenario.Report {
	r := s.Begin("id", "c")
	r.OK, r.Millis = true, 1234
	for i, run := range s.Runs {
		for _, measure := range scenario.Measures() {
			if value, named := run.Expect[measure]; named {
				right := scenario.Check{Run: i, Name: string(measure), Got: value, Expected: value, OK: true}
				r.Checks = append(r.Checks, right)
			}
		}
	}
	if s.Cells != nil {
		for i, fault := range s.Cells.Faults {
			r.Checks = append(r.Checks, scenario.Check{Run: i, Name: fault, Got: "2p", Expected: "2p", OK: true})
		}
	}
	for i := range r.Checks {
		for _, name := range wrong {
			if r.Checks[i].Name == name {
				r.Checks[i].Got, r.Checks[i].OK, r.OK = "7", false, false
			}
		}
	}
	return r
}

// TestNoLineIsWiderThanATerminal in either language, whichever scenario is told.
func TestNoLineIsWiderThanATerminal(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "tr"} {
		var text strings.Builder
		if err := scenario.WriteList(&text, lesson(t), language); err != nil {
			t.Fatal(err)
		}
		rehearsal := scenario.Rehearsal{Plan: "45"}
		for _, s := range lesson(t) {
			r := played(s, "points", "ledger", "crash:worker.acked")
			r.Error = strings.Repeat("the lab does not answer ", 9)
			if err := scenario.WriteReport(&text, s, r, language); err != nil {
				t.Fatal(err)
			}
			rehearsal.Steps = append(rehearsal.Steps, scenario.RehearsedAs(s, "45", r))
		}
		if err := scenario.WriteTable(&text, rehearsal, language); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			line = strings.TrimRight(line, "\n")
			if n := utf8.RuneCountInString(line); n > 80 || strings.HasSuffix(line, " ") {
				t.Errorf("%s, %d wide: %q", language, n, line)
			}
		}
		if strings.Contains(text.String(), "\n\n\n") {
			t.Errorf("%s: two lines are empty:\n%s", language, text.String())
		}
	}
}

// TestARehearsalIsTold in Turkish: a line for each step, and below it what differs.
func TestARehearsalIsTold(t *testing.T) {
	t.Parallel()
	rehearsal := scenario.Rehearsal{Plan: "45", Millis: 61_240}
	for i, s := range lesson(t) {
		r := played(s)
		switch i {
		case 3:
			r = played(s, "points")
		case 10:
			r = s.Begin("", "")
			r.Error = "out of coffee"
		}
		rehearsal.Steps = append(rehearsal.Steps, scenario.RehearsedAs(s, "45", r))
	}
	var got strings.Builder
	if err := scenario.WriteTable(&got, rehearsal, "tr"); err != nil {
		t.Fatal(err)
	}
	want := `adım  dk  senaryo                      beklenen           ölçülen          sn
   1   0  naive-crash-after-charge     çekim 2            2           ✓   1,2
   2   5  naive-step-by-step           çekim 2            2           ✓   1,2
   3   9  ack-first-crash-after-ack    çekim 0            0           ✓   1,2
   4  12  ack-first-crash-after-charge defter biri eksik  biri eksik  ✗   1,2
          ✗ koşu 1, puan: 7 (beklenen: 0)
   5  15  seen-set-crash-after-charge  çekim 2            2           ✓   1,2
   6  19  seen-set-window              7 hücre            7 hücre     ✓   1,2
   7  22  seen-set-crash-after-effects puan 840           840         ✓   1,2
   8  25  transactional-crash          çekim 2            2           ✓   1,2
   9  28  default-crash-after-charge   bankaya çağrı 2    2           ✓   1,2
  10  32  payload-key-two-coffees      çekim 1            1           ✓   1,2
  11  35  key-only-bank-forgot         çekim 2, 1         –           ✗   0,0
          ✗ out of coffee
  12  38  answer-lost                  çekim 2, 1         2, 1        ✓   1,2
  13  41  seen-set-row                 0 hücre            0 hücre     ✓   1,2
  14  43  receipt-at-least-once        koşu yok           –           ✓   1,2

Beklendiği gibi değil. 61,2 sn sürdü.
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

// TestAReportSaysWhatDiffers, and to what it was held.
func TestAReportSaysWhatDiffers(t *testing.T) {
	t.Parallel()
	s := lesson(t)[8]
	for language, want := range map[string][]string{
		"en": {
			"● Two calls, one charge   (the answer)", "✗ points                   7                      420",
			"✓ order                    paid                   paid", "Not as expected.",
		},
		"tr": {
			"● İki çağrı, bir çekim   (yanıt)", "✗ puan                     7                      420",
			"✓ sipariş                  ödendi                 ödendi", "Beklendiği gibi değil.",
		},
	} {
		var got strings.Builder
		if err := scenario.WriteReport(&got, s, played(s, "points"), language); err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !strings.Contains(got.String(), line) {
				t.Errorf("%s lacks %q:\n%s", language, line, got.String())
			}
		}
	}
}
