package walk_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/lab/tell"
	"example.com/doublecharge/lab/walk"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// recordings is a lab that answers every run with the recording of its strategy, half of it at first.
type recordings struct {
	t     *testing.T
	asked []step.RunSpec
	looks int
	end   string // the state in which runs end; "" is finished
}

func (r *recordings) StartRun(_ context.Context, spec step.RunSpec) (lab.Run, error) {
	r.asked = append(r.asked, spec)
	r.looks = 0
	return lab.Run{ID: spec.Strategy, State: lab.Running}, nil
}

func (r *recordings) Run(_ context.Context, id string) (lab.Run, error) {
	r.looks++
	if r.looks == 1 { // The lab's api is being started anew.
		return lab.Run{}, payments.ErrUnavailable
	}
	name := map[string]string{"key-only": "key-forgotten", "claim-lease": "naive"}[id]
	if name == "" {
		name = id
	}
	data, err := os.ReadFile(filepath.Join("..", "tell", "testdata", name+".json"))
	if err != nil {
		return lab.Run{}, err
	}
	var run lab.Run
	if err := json.Unmarshal(data, &run); err != nil {
		return lab.Run{}, err
	}
	run.ID, run.State, run.Error = id, lab.Finished, "the lane is gone"
	if r.end != "" {
		run.State = r.end
	}
	if r.looks == 2 {
		return lab.Run{ID: id, State: lab.Running, Events: run.Events[:len(run.Events)/2]}, nil
	}
	return run, nil
}

func (r *recordings) Get(_ context.Context, path string, into any) error {
	if path != "/lab/strategies" {
		r.t.Errorf("it asked for %s", path)
	}
	strategies, err := catalogue.Strategies()
	if err != nil {
		return err
	}
	data, err := json.Marshal(map[string]any{"strategies": strategies})
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// script presses keys one after another, and then q.
type script struct {
	keys string
	out  *strings.Builder
}

func (s *script) Press(_ context.Context, prompt string) (walk.Key, error) {
	key := walk.Quit
	if s.keys != "" {
		key = walk.Key(s.keys[0])
		s.keys = s.keys[1:]
	}
	s.out.WriteString(prompt + "\n")
	return key, nil
}

// walked is what a walk says, and asks of the lab.
func walked(t *testing.T, lang, keys string, r *recordings) string {
	t.Helper()
	words, err := walk.Words(lang)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	w := walk.Walk{Lab: r, Out: &out, Words: words}
	if keys != "" {
		w.Keys = &script{keys, &out}
	}
	r.t = t
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > tell.Width {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	return out.String()
}

// charges are the bank's counts in the order in which they were told.
func charges(text string) string {
	var all []string
	for _, found := range regexp.MustCompile(`[✓✗] (?:charges|çekim) +(\d)`).FindAllStringSubmatch(text, -1) {
		all = append(all, found[1])
	}
	return strings.Join(all, ",")
}

// TestWithoutAnybodyAllScenesRun straight through, without a prompt.
func TestWithoutAnybodyAllScenesRun(t *testing.T) {
	t.Parallel()
	for lang, ready := range map[string]string{"en": "In a terminal,", "tr": "Terminalde"} {
		r := &recordings{}
		text := walked(t, lang, "", r)
		if got := charges(text); got != "2,0,2,2,1" {
			t.Errorf("%s: the charges are %s\n%s", lang, got, text)
		}
		if !strings.Contains(text, ready) || strings.Contains(text, " · q ") {
			t.Errorf("%s: it speaks to somebody:\n%s", lang, text)
		}
		if strings.Count(text, "SIGKILL ·") != 4 || strings.Count(text, "↺") != 1 || strings.Count(text, "⌁") != 1 {
			t.Errorf("%s: the traces are not drawn once each:\n%s", lang, text)
		}
	}
}

// TestTheLearnerGuessesAndIsAnswered, after a key that means nothing.
func TestTheLearnerGuessesAndIsAnswered(t *testing.T) {
	t.Parallel()
	r := &recordings{}
	text := walked(t, "en", "x12\n\n1\nr\n", r)
	for _, want := range []string{
		"That key does nothing here.", "Your guess: 1", "Your guess: 2", "You said 2, and so does the bank.",
		"You said 1, the bank says 0.", "2 / 6",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if got := charges(text); got != "2,0,0" {
		t.Errorf("r does not run again: %s", got)
	}
	if strings.Count(text, "You said") != 2 {
		t.Errorf("a guess that nobody made is answered:\n%s", text)
	}
}

// TestTheAnswerIsNotGivenAwayBeforeTheRun.
func TestTheAnswerIsNotGivenAwayBeforeTheRun(t *testing.T) {
	t.Parallel()
	text := walked(t, "en", "1q", &recordings{})
	if strings.ContainsAny(text, "✗✓∅") || strings.Contains(text, "Charged") {
		t.Errorf("it says too much:\n%s", text)
	}
}

// TestBackAndForth: b leads one scene back, and to no scene before the first.
func TestBackAndForth(t *testing.T) {
	t.Parallel()
	text := walked(t, "tr", "b\n\nb", &recordings{})
	var heads []string
	for _, found := range regexp.MustCompile(`── (\d) / 6`).FindAllStringSubmatch(text, -1) {
		heads = append(heads, found[1])
	}
	if got := strings.Join(heads, ""); got != "1121" {
		t.Errorf("the scenes are %s", got)
	}
}

// TestTheLearnerBreaksIt: strategy and step by their digits, the page turned on the way, as often as wanted.
func TestTheLearnerBreaksIt(t *testing.T) {
	t.Parallel()
	through := strings.Repeat("\n\n", 5)
	r := &recordings{}
	text := walked(t, "tr", through+"mm15"+"2\n"+"\n"+"60\n"+"\n"+"9b"+"b", r)
	if len(r.asked) != 7 {
		t.Fatalf("%d runs:\n%s", len(r.asked), text)
	}
	first, second := r.asked[5], r.asked[6]
	if first.Strategy != "naive" || len(first.Faults) != 1 || first.Faults[0].Point != step.WorkerApplied ||
		first.Faults[0].Action != step.Crash || *first.Settings.Workers != 1 {
		t.Errorf("the first is %+v", first)
	}
	if second.Strategy != "claim-lease" || len(second.Faults) != 0 {
		t.Errorf("the second is %+v", second)
	}
	for _, want := range []string{
		"redelivered-only", "Siz 2 dediniz, banka da öyle diyor.", "5 / 6 · Seen-set + anahtar",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

// TestAStoppedRunIsAnError that says why.
func TestAStoppedRunIsAnError(t *testing.T) {
	t.Parallel()
	words, err := walk.Words("en")
	if err != nil {
		t.Fatal(err)
	}
	w := walk.Walk{Lab: &recordings{t: t, end: lab.Stopped}, Out: &strings.Builder{}, Words: words}
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "the lane is gone") {
		t.Errorf("the walk ends with %v", err)
	}
}

// TestWordsOfBothLanguages have the same keys and placeholders.
func TestWordsOfBothLanguages(t *testing.T) {
	t.Parallel()
	read := func(lang string) map[string]string {
		data, err := os.ReadFile("words_" + lang + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var texts map[string]string
		if err := json.Unmarshal(data, &texts); err != nil {
			t.Fatal(err)
		}
		return texts
	}
	english, turkish := read("en"), read("tr")
	placeholder := regexp.MustCompile(`\{\w+\}`)
	for key, text := range english {
		want, got := placeholder.FindAllString(text, -1), placeholder.FindAllString(turkish[key], -1)
		if turkish[key] == "" || len(want) != len(got) || regexp.MustCompile(`\}['’]?\p{L}`).MatchString(turkish[key]) {
			t.Errorf("%s: %q and %q", key, text, turkish[key])
		}
	}
	if len(english) != len(turkish) {
		t.Errorf("%d texts in English, %d in Turkish", len(english), len(turkish))
	}
}
