package outbox_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between the relay and the broker. While it is down, every connection is cut at once.
type proxy struct {
	url      string
	broker   string
	listener net.Listener

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]bool
	all   sync.WaitGroup
}

func newProxy(t *testing.T, broker string) *proxy {
	t.Helper()
	at, err := url.Parse(broker)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{broker: at.Host, listener: listener, conns: map[net.Conn]bool{}}
	at.Host = listener.Addr().String()
	p.url = at.String()
	p.all.Go(func() { p.accept(context.WithoutCancel(t.Context())) })
	t.Cleanup(func() {
		_ = listener.Close()
		p.setDown(true)
		p.all.Wait()
	})
	return p
}

func (p *proxy) accept(ctx context.Context) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		broker, err := new(net.Dialer).DialContext(ctx, "tcp", p.broker)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.keep(client, broker)
		p.all.Go(func() { p.pipe(client, broker) })
		p.all.Go(func() { p.pipe(broker, client) })
	}
}

// keep remembers the connections, so that they can be cut, or cuts them now.
func (p *proxy) keep(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		p.conns[conn] = true
		if p.down {
			_ = conn.Close()
		}
	}
}

func (p *proxy) pipe(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_, _ = to.Close(), from.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, from)
}

// setDown cuts all connections and those to come, or lets the next ones through.
func (p *proxy) setDown(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
	if down {
		for conn := range p.conns {
			_ = conn.Close()
		}
	}
}
