package stack

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
)

// The environment variables that tell a child the numbers of the files it inherits.
const (
	lifelineVariable = "DOUBLECHARGE_LIFELINE"
	listenerVariable = "DOUBLECHARGE_LISTENER"
)

// WatchLifeline calls onLost once when the supervisor of this process is gone, however it went. In a
// process without a supervisor it does nothing. The end of ctx ends the watching.
func WatchLifeline(ctx context.Context, onLost func()) error {
	lifeline, found, err := inherited(lifelineVariable)
	if err != nil || !found {
		return err
	}
	closing := context.AfterFunc(ctx, func() { _ = lifeline.Close() })
	go func() {
		defer closing()
		// Nothing is ever written to the lifeline, so a read that returns means that it has ended.
		_, _ = lifeline.Read(make([]byte, 1))
		if ctx.Err() == nil {
			onLost()
		}
	}()
	return nil
}

// InheritedListener is the listening socket that the supervisor holds for its children: connections
// made while a child is dead wait for its successor. Found is false in a process that has none.
func InheritedListener() (listener net.Listener, found bool, err error) {
	file, found, err := inherited(listenerVariable)
	if err != nil || !found {
		return nil, false, err
	}
	defer func() { _ = file.Close() }() // FileListener works on a copy
	listener, err = net.FileListener(file)
	if err != nil {
		return nil, false, fmt.Errorf("use the inherited listener: %w", err)
	}
	return listener, true, nil
}

// inherited takes an inherited file over. It can be taken once: neither the file nor the variable go
// on to processes that this one starts.
func inherited(variable string) (file *os.File, found bool, err error) {
	value, found := os.LookupEnv(variable)
	if !found {
		return nil, false, nil
	}
	fd, err := strconv.Atoi(value)
	if err != nil || fd < 3 {
		return nil, false, fmt.Errorf("%s=%q is not the number of an inherited file", variable, value)
	}
	if err := os.Unsetenv(variable); err != nil {
		return nil, false, fmt.Errorf("forget %s: %w", variable, err)
	}
	syscall.CloseOnExec(fd)
	// A non-blocking file lets Close end a pending Read.
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, false, fmt.Errorf("use file %d of %s: %w", fd, variable, err)
	}
	return os.NewFile(uintptr(fd), variable), true, nil
}
