package main

import (
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"example.com/doublecharge/lab/walk"
)

// screen is a terminal with the walkthrough on it.
type screen struct {
	t       *testing.T
	master  *os.File
	slave   *os.File
	process *os.Process
	before  *term.State
	ended   chan error

	mu   sync.Mutex
	text strings.Builder
	read int // up to here it was waited for
}

// openScreen starts the walkthrough on a terminal of 80 by 24, with one more variable of the environment.
func openScreen(t *testing.T, lab, env string, args ...string) *screen {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, master: master, slave: slave, ended: make(chan error, 1)}
	if s.before, err = term.GetState(int(slave.Fd())); err != nil {
		t.Fatal(err)
	}
	cmd := walkthroughProgram(t, lab, args...)
	cmd.Env = append(cmd.Env, env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.process = cmd.Process
	go func() { s.ended <- cmd.Wait() }()
	go s.listen()
	t.Cleanup(func() { _ = master.Close(); _ = slave.Close() })
	return s
}

func (s *screen) listen() {
	bytes := make([]byte, 4096)
	for {
		n, err := s.master.Read(bytes)
		if err != nil {
			return // It was closed.
		}
		s.mu.Lock()
		s.text.Write(bytes[:n])
		s.mu.Unlock()
	}
}

// await waits until a text comes after what was waited for before.
func (s *screen) await(text string) {
	s.t.Helper()
	eventually(s.t, text, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		at := strings.Index(s.text.String()[s.read:], text)
		if at >= 0 {
			s.read += at + len(text)
		}
		return at >= 0
	})
	if s.t.Failed() {
		s.t.Fatalf("the screen shows:\n%s", s.all())
	}
}

func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// raw says whether the terminal waits for a single key just now.
func (s *screen) raw() bool {
	state, err := term.GetState(int(s.slave.Fd()))
	return err == nil && !reflect.DeepEqual(state, s.before)
}

// wantEnd checks that it ends by itself and leaves the terminal as it was.
func (s *screen) wantEnd() {
	s.t.Helper()
	late := time.NewTimer(20 * time.Second)
	defer late.Stop()
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Errorf("it ends with %v:\n%s", err, s.all())
		}
	case <-late.C:
		_ = s.process.Kill()
		s.t.Errorf("it does not end:\n%s", s.all())
	}
	if s.raw() {
		s.t.Error("the terminal is not as it was")
	}
}

// TestKeysAtATerminal: a wrong key, a guess, a run, a guess that was wrong, and q.
func TestKeysAtATerminal(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	s := openScreen(t, d.base, "NO_COLOR=", "--lang", "tr")
	s.await("q çık")
	if !s.raw() {
		t.Error("it waits for a key on a terminal that waits for a line")
	}
	s.press("x")
	s.await("Bu tuşun burada işi yok.")
	s.await("q çık")
	s.press("1")
	s.await("Tahmininiz: 1")
	s.await("q çık")
	s.press(" ")
	s.await("SIGKILL")
	s.press(" ") // Pressed twice: there was no question yet, and so it is no answer.
	s.await("İki kez çekildi!")
	s.await("Siz 1 dediniz, banka 2 diyor.")
	s.await("q çık")
	s.press("\x1b[6~") // What a clicker sends.
	s.await("2 / 6")
	s.await("q çık")
	s.press("q")
	s.wantEnd()
	if runs := strings.Count(s.all(), "SIGKILL ·"); runs != 1 && runtime.GOOS == "linux" {
		t.Errorf("a key that was pressed twice answered two questions: %d runs", runs)
	}
	if !strings.Contains(s.all(), "\x1b[31m") {
		t.Error("there is no colour on a terminal")
	}
	for _, trick := range []string{"\x1b[2J", "\x1b[?1049h", "\x1b[H", "\x1b[K", "\x1b[A"} {
		if strings.Contains(s.all(), trick) {
			t.Errorf("it moves the cursor: %q", trick)
		}
	}
}

// TestTheTerminalIsLeftAsItWas by Ctrl-C and by a signal, while a key is waited for and while a trace is drawn.
func TestTheTerminalIsLeftAsItWas(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	for name, end := range map[string]func(*screen){
		"Ctrl-C at a prompt": func(s *screen) { s.press("\x03") },
		"SIGTERM at a prompt": func(s *screen) {
			if err := s.process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		},
		"Ctrl-C in a trace": func(s *screen) {
			s.press("\r")
			s.await("├─ sent")
			s.press("\x03")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openScreen(t, d.base, "NO_COLOR=1", "--pace", "300ms")
			s.await("q quit")
			end(s)
			s.wantEnd()
			if strings.Contains(s.all(), "\x1b[") {
				t.Errorf("there is colour where none is wanted: %q", s.all())
			}
		})
	}
}

// TestKeyOf names what terminals and clickers send.
func TestKeyOf(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]walk.Key{
		" ": walk.Next, "\r": walk.Next, "\x1b[C": walk.Next, "\x1b[6~": walk.Next, "\x1b[D": walk.Back,
		"\x1b[5~": walk.Back, "b": walk.Back, "q": walk.Quit, "Q": walk.Quit, "\x03": walk.Quit, "\x04": walk.Quit,
		"": walk.Quit, "7": '7', "ğ": 'ğ', "\x1b": '\x1b',
	} {
		if got := keyOf([]byte(sent)); got != want {
			t.Errorf("%q is %q", sent, got)
		}
	}
}
