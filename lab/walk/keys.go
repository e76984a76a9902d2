package walk

import (
	"context"
	"slices"
	"strings"

	"example.com/doublecharge/lab/tell"
)

// Key is a key that was pressed.
type Key rune

// The keys that mean the same everywhere. Letters and digits are themselves.
const (
	Next  Key = '\n' // space, enter, and what a clicker sends
	Back  Key = 'b'
	Quit  Key = 'q' // Ctrl-C and the end of the input too
	again Key = 'r'
	more  Key = 'm'
)

// Keys are pressed by somebody.
type Keys interface {
	// Press shows the prompt and waits for one key.
	Press(ctx context.Context, prompt string) (Key, error)
}

// ask waits until one of the keys is pressed; Quit always is one. A key that means nothing here is answered with
// a line that says so.
func (w *Walk) ask(ctx context.Context, prompt string, keys ...Key) (Key, error) {
	if w.Keys == nil {
		return Next, ctx.Err()
	}
	w.line("")
	for {
		key, err := w.Keys.Press(ctx, w.Paint.In(tell.Faint, prompt))
		if err != nil || key == Quit || slices.Contains(keys, key) {
			return key, err
		}
		w.say("keys.wrong", tell.Warn)
	}
}

// offer is a prompt: what each key does.
func (w *Walk) offer(keys ...string) string {
	var texts []string
	for _, key := range append(keys, "quit") {
		texts = append(texts, w.Words.T("keys."+key))
	}
	return strings.Join(texts, " · ") + " "
}

// guess asks how many charges there will be, until the run is wanted. Mine is -1 where nobody guessed.
func (w *Walk) guess(ctx context.Context) (mine int, key Key, err error) {
	mine = -1
	w.line("")
	w.say("predict.question", tell.Strong)
	for {
		key, err = w.ask(ctx, w.offer("guess", "run", "back"), '0', '1', '2', Next, Back)
		if err != nil || key < '0' || key > '2' {
			return mine, key, err
		}
		mine = int(key - '0')
		w.line("  " + w.Words.T("predict.mine", tell.Args{"n": mine}))
	}
}
