package stack_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"example.com/doublecharge/lab/stack"
)

// child serves the inherited listener, if there is one, with its own pid, and lives until it is asked
// to stop or its supervisor is gone.
func child(ctx context.Context) error {
	ctx, err := untilTerminated(ctx)
	if err != nil {
		return err
	}
	listener, found, err := stack.InheritedListener()
	if err != nil {
		return err
	}
	if found {
		context.AfterFunc(ctx, func() { _ = listener.Close() })
		for {
			conn, err := listener.Accept()
			if err != nil {
				return nil //nolint:nilerr // closed, as it should be
			}
			_, _ = fmt.Fprintln(conn, os.Getpid())
			_ = conn.Close()
		}
	}
	<-ctx.Done()
	return nil
}

// TestListenerOutlivesChild connects while the only child is dead, and is served by the next one.
func TestListenerOutlivesChild(t *testing.T) {
	t.Parallel()
	listener := listenAt(t, "tcp://127.0.0.1:0")
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	r := run(t, asChild, &stack.Supervisor{Listener: file})
	first := r.started(t)
	answer := func() string {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		return readLine(t, bufio.NewReader(conn))
	}
	if got := answer(); got != strconv.Itoa(first.PID) {
		t.Errorf("answered by %s, want %d", got, first.PID)
	}
	begun := time.Now()
	if err := syscall.Kill(first.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r.next(t) // the end of the first
	if got := answer(); got == strconv.Itoa(first.PID) || got != strconv.Itoa(r.started(t).PID) {
		t.Errorf("answered by %s, want the second child", got)
	}
	t.Log("from SIGKILL to the next answer:", time.Since(begun))
}

// supervise runs children that share its output until it is killed.
func supervise(ctx context.Context) error {
	s := &stack.Supervisor{
		Role:     asChild,
		Children: 2,
		Command: func(ctx context.Context, _ int) *exec.Cmd {
			cmd := playing(ctx, asChild)
			cmd.Stdout = os.Stdout
			return cmd
		},
		OnStart: func(p stack.Process) { fmt.Println(p.PID) },
	}
	return s.Run(ctx)
}

// TestLifeline kills a supervisor with SIGKILL. Its children hold its output open, so the output ends
// when the last of them has.
func TestLifeline(t *testing.T) {
	t.Parallel()
	cmd := playing(t.Context(), asSupervisor)
	output := launch(t, cmd)
	readLine(t, output)
	readLine(t, output)
	kill(t, cmd)
	t.Log("children gone after", awaitEnd(t, output))
}
