package walk

import (
	"context"
	_ "embed" // for the words
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/tell"
	"example.com/doublecharge/payments/step"
)

//go:embed words_en.json
var english []byte

//go:embed words_tr.json
var turkish []byte

// Lab is what is asked of a lab; a client of its HTTP API is one.
type Lab interface {
	// StartRun asks for a run and gives it as it begins.
	StartRun(ctx context.Context, spec step.RunSpec) (lab.Run, error)
	// Run reads a run as far as it has come.
	Run(ctx context.Context, id string) (lab.Run, error)
	// Get reads another document.
	Get(ctx context.Context, path string, into any) error
}

// Walk is one walk through the scenes.
type Walk struct {
	Lab Lab
	// Keys are what the learner presses; nil is nobody: then all scenes run straight through.
	Keys  Keys
	Out   io.Writer
	Words tell.Words
	Paint tell.Paint
	// Pace is the time between two lines of a trace at least, so that eyes can follow.
	Pace time.Duration
}

// Words are all the words of a walk, in en or tr.
func Words(lang string) (tell.Words, error) {
	return tell.WordsIn(lang, map[string][]byte{"en": english, "tr": turkish}[lang])
}

// Run walks until the learner quits or, without one, until the last scene is told.
func (w *Walk) Run(ctx context.Context) error {
	w.say("walk.title", tell.Strong)
	w.text("walk.intro", 0)
	scenes := scenes()
	for at := 0; ; {
		var key Key
		var err error
		if at < len(scenes) {
			key, err = w.scene(ctx, at+1, scenes[at])
		} else {
			key, err = w.free(ctx, at+1)
		}
		switch {
		case err != nil:
			return err
		case key == Quit:
			w.line("")
			w.text("walk.end", 0)
			return nil
		case key == Back:
			at = max(0, at-1)
		default:
			at++
		}
	}
}

// head opens a scene.
func (w *Walk) head(number int, title string) {
	text := fmt.Sprintf("── %d / %d · %s ", number, len(scenes())+1, title)
	w.line("")
	w.line(w.Paint.In(tell.Strong, text+strings.Repeat("─", max(0, tell.Width-utf8.RuneCountInString(text)))))
}

func (w *Walk) line(text string) { fmt.Fprintln(w.Out, text) }

func (w *Walk) lines(texts []string) {
	for _, text := range texts {
		w.line(text)
	}
}

// say writes a text on a line of its own.
func (w *Walk) say(key string, tone tell.Tone, args ...tell.Args) {
	w.line(w.Paint.In(tone, w.Words.T(key, args...)))
}

// text writes a longer text, wrapped.
func (w *Walk) text(key string, indent int) {
	w.lines(tell.Wrap(w.Words.T(key), indent))
}

// in chooses a text's language.
func (w *Walk) in(text step.Text) string {
	if w.Words.Lang() == "tr" {
		return text.TR
	}
	return text.EN
}

// pause waits, or ends with the context.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
