package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"syscall"
)

// Keeper is a second process that survives its owner for a moment: long enough to end and remove
// what the owner started. It holds the read end of a pipe whose other end only the owner has. That
// the pipe ends is all it needs to know; whether the owner closed it or was killed makes no
// difference, and after an orderly end there is just nothing left to do.
//
// A nil Keeper is nobody: it watches nothing.
type Keeper struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	mu    sync.Mutex // one line at a time
}

// Keep starts the keeper: argv is a command that calls RunKeeper with its standard input. Its session
// is its own, so that neither Ctrl-C nor the end of a terminal reaches it.
func Keep(ctx context.Context, argv []string) (*Keeper, error) {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...) //nolint:gosec // ourselves
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("open a pipe to the keeper: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the keeper: %w", err)
	}
	return &Keeper{cmd: cmd, stdin: stdin}, nil
}

// Watch tells the keeper of something that must not outlive us. What it could not be told of should
// not be started.
func (k *Keeper) Watch(l Leftover) error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := json.NewEncoder(k.stdin).Encode(l); err != nil {
		return fmt.Errorf("tell the keeper: %w", err)
	}
	return nil
}

// Close lets the keeper go, and returns when it has removed whatever was still there.
func (k *Keeper) Close() error {
	if k == nil {
		return nil
	}
	if err := errors.Join(k.stdin.Close(), k.cmd.Wait()); err != nil {
		return fmt.Errorf("end the keeper: %w", err)
	}
	return nil
}

// RunKeeper is the life of the keeper process: it listens until its owner is gone, then removes what
// the owner left, the latest first.
func RunKeeper(ctx context.Context, owner io.Reader) error {
	var leftovers []Leftover
	lines := json.NewDecoder(owner)
	for {
		var l Leftover
		if lines.Decode(&l) != nil {
			break // the end of the pipe, or the owner was cut off in the middle of a line
		}
		leftovers = append(leftovers, l)
	}
	var failures []error
	for _, l := range slices.Backward(leftovers) {
		failures = append(failures, l.remove(ctx))
	}
	return errors.Join(failures...)
}
