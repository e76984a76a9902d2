package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"example.com/doublecharge/lab/stack"
)

// serve serves until the context ends, then lets requests finish. A request's own context does not end
// with it: what was begun is finished.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      11 * time.Minute, // GET /lab/wait may be asked to wait for ten.
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		BaseContext:       func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return server.Close()
	}
	return nil
}

// listen opens the port that the supervisor holds, so that it stays open while a child is dead.
func listen(ctx context.Context, address string) (*net.TCPListener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, missingError(address + " is in use: choose another address with --addr or ADDR=127.0.0.1:4343")
	}
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	tcp, _ := listener.(*net.TCPListener) // Network tcp gives nothing else.
	return tcp, nil
}

// listenerFile is a listener as its children get it.
func listenerFile(ctx context.Context, address string) (*os.File, string, error) {
	listener, err := listen(ctx, address)
	if err != nil {
		return nil, "", err
	}
	file, err := listener.File()
	if err != nil {
		return nil, "", fmt.Errorf("share the listener: %w", err)
	}
	// The file is a copy of its own; closing the listener leaves the port open.
	return file, listener.Addr().String(), listener.Close()
}

// inherited is the child's listener.
func inherited() (net.Listener, error) {
	listener, found, err := stack.InheritedListener()
	if err == nil && !found {
		err = errors.New("this child was started without its listener")
	}
	return listener, err
}
