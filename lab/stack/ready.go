package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

const (
	bootLimit  = 90 * time.Second // a broker on a busy laptop needs 25
	askEvery   = 50 * time.Millisecond
	askTimeout = 2 * time.Second
)

// errExited means that a server ended before it ever answered.
var errExited = errors.New("it ended while starting")

// awaitAnswer asks until the server answers, its process exits, or the time is over.
func awaitAnswer(ctx context.Context, kind Kind, port int, exited <-chan struct{}) error {
	ctx, cancel := context.WithTimeoutCause(ctx, bootLimit, fmt.Errorf("no answer within %v", bootLimit))
	defer cancel()
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	go func() {
		select {
		case <-exited:
			giveUp(errExited)
		case <-ctx.Done():
		}
	}()
	ticker := time.NewTicker(askEvery)
	defer ticker.Stop()
	for {
		err := ask(ctx, kind, port)
		if err == nil {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("%w (last try: %w)", context.Cause(ctx), err)
		}
	}
}

// ask puts the question once, on a connection of its own.
func ask(ctx context.Context, kind Kind, port int) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", loopback(port))
	if err != nil {
		return fmt.Errorf("dial: %w", err)
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() }) // at the latest when we return and cancel
	return kind.answers(conn)
}

// expect sends a protocol's opening words and checks how the answer begins.
func expect(conn net.Conn, opening, answer string) error {
	if _, err := conn.Write([]byte(opening)); err != nil {
		return fmt.Errorf("send opening: %w", err)
	}
	got := make([]byte, len(answer))
	if _, err := io.ReadFull(conn, got); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if string(got) != answer {
		return fmt.Errorf("answer begins with %q, not %q", got, answer)
	}
	return nil
}
