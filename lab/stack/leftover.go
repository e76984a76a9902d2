package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	abortPatience  = 3 * time.Second // from a leftover's own signal to SIGKILL
	removePatience = 5 * time.Second // the dying may still write into their folder
	lookEvery      = 20 * time.Millisecond
)

// Leftover is one thing that a dead owner leaves behind. Only one of Group, Folder and Container is set.
type Leftover struct {
	// Group is a process group, by the pid of its leader.
	Group int `json:"group,omitempty"`
	// Since is when the leader started, so that a recycled pid is not taken for it.
	Since string `json:"since,omitempty"`
	// Abort is a signal for the leader that comes before SIGKILL for the group.
	Abort syscall.Signal `json:"abort,omitempty"`

	// Folder is removed with all it holds.
	Folder string `json:"folder,omitempty"`

	// Container is removed by name, with the docker program given beside it.
	Container string `json:"container,omitempty"`
	Docker    string `json:"docker,omitempty"`
}

// group describes the process group led by a child that has not been waited for yet.
func group(pid int, abort syscall.Signal) Leftover {
	return Leftover{Group: pid, Since: startTime(pid), Abort: abort}
}

// remove does nothing for what is gone already: after an orderly end that is everything.
func (l Leftover) remove(ctx context.Context) error {
	switch {
	case l.Group > 1:
		return l.removeGroup(ctx)
	case l.Folder != "":
		return l.removeFolder(ctx)
	case l.Container != "":
		return l.removeContainer(ctx)
	}
	return nil
}

func (l Leftover) removeGroup(ctx context.Context) error {
	since := startTime(l.Group)
	if since != "" && since != l.Since {
		return nil // the number belongs to somebody else now
	}
	if since != "" && l.Abort != 0 {
		ctx, cancel := context.WithTimeout(ctx, abortPatience)
		defer cancel()
		_ = syscall.Kill(l.Group, l.Abort)
		_ = retry(ctx, func() error { return stillRunning(l.Group) }) // SIGKILL is the answer to an error
	}
	// While a member lives, the kernel gives the number of a group to no new process.
	if err := syscall.Kill(-l.Group, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("kill process group %d: %w", l.Group, err)
	}
	return nil
}

func stillRunning(pid int) error {
	if startTime(pid) != "" {
		return fmt.Errorf("process %d still runs", pid)
	}
	return nil
}

func (l Leftover) removeFolder(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, removePatience)
	defer cancel()
	return retry(ctx, func() error { return os.RemoveAll(l.Folder) })
}

func (l Leftover) removeContainer(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, l.Docker, "rm", "-f", "-v", l.Container) //nolint:gosec // our owner's words
	return cmd.Run()
}

// retry tries until it works or ctx ends, and then tells why it did not.
func retry(ctx context.Context, try func() error) error {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return err
		}
	}
}
