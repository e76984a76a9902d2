package stack

import (
	"context"
	"fmt"
)

// Server is one server of the lab, wherever it comes from.
type Server interface {
	fmt.Stringer // one line: which one was taken

	Kind() Kind
	// URL is known before the server is up, so that others can be told of it early. Only a lost race
	// for a port changes it, and Start has returned by then.
	URL() string
	// Start returns when the server answers.
	Start(ctx context.Context) error
	// Restart stops the server and starts it again, with its data and at the same address.
	Restart(ctx context.Context) error
	// Stop returns when nothing of the server runs any more.
	Stop(ctx context.Context) error
}

// given is a server that was there before us: it is used as it is, and left as it is.
type given struct {
	kind Kind
	url  string
}

func (g given) Kind() Kind                  { return g.kind }
func (g given) URL() string                 { return g.url }
func (g given) Start(context.Context) error { return nil }
func (g given) Stop(context.Context) error  { return nil }

func (g given) Restart(context.Context) error {
	return fmt.Errorf("%s is not ours to restart: it was given in %s", g.kind.Name, g.kind.Variable)
}

// String leaves the URL out, since it may carry a password.
func (g given) String() string {
	return fmt.Sprintf("%s given in %s", g.kind.Name, g.kind.Variable)
}
