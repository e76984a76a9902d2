package stack

import (
	"context"
	"net"
	"syscall"
)

// Kind is one sort of server: the facts that hold however an instance of it comes into being.
type Kind struct {
	// Name is what people call it.
	Name string
	// Variable is the environment variable that names an instance which is already there.
	Variable string
	// Install says in a few words how to get it.
	Install string

	url     func(port int) string
	answers func(net.Conn) error // asks once, in the server's own protocol, whether it is ready
	image   image
	locate  func(ctx context.Context, find Finder) (recipe, bool)
}

// A recipe makes a private server out of installed binaries.
type recipe interface {
	version() string
	ports() int                                // how many it needs; the first one serves
	prepare(ctx context.Context, h home) error // lays out the folder; doing it again changes nothing
	programs(h home) []program                 // in the order in which they start; the last one serves
}

// home is where a private server lives: a folder and ports that nobody else uses, and the keeper
// that is told of every process started there.
type home struct {
	dir    string
	ports  []int
	keeper *Keeper
}

// port is the one at which clients are served.
func (h home) port() int { return h.ports[0] }

// program is one process of a private server.
type program struct {
	path string
	args []string
	env  []string // the whole environment: nothing of the caller's leaks in
	as   *syscall.Credential
	// farewell are the signals that ask it to stop, from polite to firm. SIGKILL follows by itself.
	farewell []syscall.Signal
	// abort is what the keeper sends before SIGKILL, for a program that has more than memory to free.
	abort syscall.Signal
}
