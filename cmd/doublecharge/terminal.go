package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"example.com/doublecharge/lab/walk"
)

// terminal reads single keys. It is raw only while a key is waited for, so that it is as it was however the
// program ends in between.
type terminal struct {
	in  *os.File
	out io.Writer
	// wanted asks the reader for one more key, which comes in pressed. A read cannot be broken off: the one that
	// nobody waits for any more ends with the program.
	wanted  chan struct{}
	pressed chan keyPress
	reading bool
}

// keyPress is what one press sent: several bytes for an arrow, or for a letter that is not ASCII.
type keyPress struct {
	bytes []byte
	err   error
}

// openTerminal gives the terminal behind a file; ok is false where there is none.
func openTerminal(in *os.File, out io.Writer) (_ *terminal, ok bool) {
	if !term.IsTerminal(int(in.Fd())) {
		return nil, false
	}
	t := &terminal{in: in, out: out, wanted: make(chan struct{}), pressed: make(chan keyPress, 1)}
	go t.read()
	return t, true
}

func (t *terminal) read() {
	for range t.wanted {
		bytes := make([]byte, 16)
		n, err := t.in.Read(bytes)
		t.pressed <- keyPress{bytes[:n], err}
	}
}

// Press shows the prompt and waits for a key. Ctrl-C and the end of the input are [walk.Quit].
func (t *terminal) Press(ctx context.Context, prompt string) (key walk.Key, err error) {
	state, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return walk.Quit, fmt.Errorf("read single keys: %w", err)
	}
	defer func() {
		err = errors.Join(err, term.Restore(int(t.in.Fd()), state))
		fmt.Fprintln(t.out)
	}()
	flushInput(t.in)
	fmt.Fprint(t.out, prompt)
	if !t.reading {
		t.wanted <- struct{}{}
		t.reading = true
	}
	select {
	case press := <-t.pressed:
		t.reading = false
		if errors.Is(press.err, io.EOF) {
			return walk.Quit, nil
		}
		return keyOf(press.bytes), press.err
	case <-ctx.Done():
		return walk.Quit, ctx.Err()
	}
}

// keyOf names what a terminal sent. Arrows and what a presenter's clicker sends lead on and back.
func keyOf(sent []byte) walk.Key {
	switch string(sent) {
	case "\x03", "\x04", "Q": // Ctrl-C and Ctrl-D, which a raw terminal does not act on itself
		return walk.Quit
	case " ", "\r", "\n", "\x1b[C", "\x1bOC", "\x1b[6~":
		return walk.Next
	case "B", "\x1b[D", "\x1bOD", "\x1b[5~":
		return walk.Back
	}
	for _, sign := range string(sent) {
		return walk.Key(sign)
	}
	return walk.Quit // Nothing was sent: the input is over.
}
