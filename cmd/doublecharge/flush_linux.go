package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// flushInput forgets what was typed while nobody asked, so that a key pressed twice answers only one question.
func flushInput(terminal *os.File) {
	_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH) // Else it is read as an answer.
}
