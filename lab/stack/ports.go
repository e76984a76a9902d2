package stack

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports are chosen below the range from which kernels hand out ports for outgoing connections
// (32768 on Linux, 49152 on macOS). A server that binds its port ten seconds after it was chosen
// would otherwise lose it now and then to somebody's client.
const (
	firstPort = 20000
	lastPort  = 32000
)

// errPortTaken means that somebody else bound a port between our choosing and our using it.
var errPortTaken = errors.New("another program took the port")

// freePorts chooses n different ports that nobody listens on.
func freePorts(ctx context.Context, n int) ([]int, error) {
	chosen := make(map[int]bool, n)
	var ports []int
	for range 1000 {
		if len(ports) == n {
			return ports, nil
		}
		port := firstPort + rand.IntN(lastPort-firstPort) //nolint:gosec // a port number is no secret
		if !chosen[port] && portFree(ctx, port) {
			chosen[port] = true
			ports = append(ports, port)
		}
	}
	return nil, fmt.Errorf("no free port between %d and %d", firstPort, lastPort)
}

func portFree(ctx context.Context, port int) bool {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", loopback(port))
	return err == nil && listener.Close() == nil
}

func loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
