package stacktest_test

import (
	"net"
	"net/url"
	"os"
	"testing"

	"example.com/doublecharge/lab/stack/stacktest"
)

func TestMain(m *testing.M) { os.Exit(stacktest.Main(m)) }

// TestServers sees that the servers can be reached where they are said to be.
func TestServers(t *testing.T) {
	t.Parallel()
	servers := stacktest.Servers(t)
	for _, address := range []string{servers.DatabaseURL, servers.AMQPURL, servers.RedisURL} {
		at, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", at.Host)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(conn.RemoteAddr())
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}
