package stack

import (
	"context"
	"os"
	"time"
)

const parentEvery = 100 * time.Millisecond

// WatchParent calls onLost once when the parent of this process has died. A parent that is not ours,
// such as make or go test, holds no lifeline for us; but an orphan gets a new parent, which shows.
// The end of ctx ends the watching.
func WatchParent(ctx context.Context, onLost func()) {
	parent := os.Getppid()
	go func() {
		ticker := time.NewTicker(parentEvery)
		defer ticker.Stop()
		for os.Getppid() == parent {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
		}
		onLost()
	}()
}
