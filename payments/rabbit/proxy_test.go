package rabbit_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between the client and the broker, and can do to their connections what a network does.
type proxy struct {
	url      string
	broker   string
	listener net.Listener

	cancelled chan struct{} // gets a value for every consumer that the client cancelled

	mu        sync.Mutex
	pairs     map[*pair]bool
	mute      bool // what the broker says is swallowed
	left      int  // how often the broker may still speak before that; 0 is no bound
	swallowed bool // something was
	all       sync.WaitGroup
}

// pair is one connection through the proxy.
type pair struct {
	client, broker net.Conn
	mu             sync.Mutex // one writer to the broker at a time
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
	p := &proxy{broker: at.Host, listener: listener, cancelled: make(chan struct{}, 100), pairs: map[*pair]bool{}}
	at.Host = listener.Addr().String()
	p.url = at.String()
	p.all.Go(func() { p.accept(context.WithoutCancel(t.Context())) })
	t.Cleanup(func() {
		_ = listener.Close()
		p.cut()
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
		one := &pair{client: client, broker: broker}
		p.mu.Lock()
		p.pairs[one] = true
		p.mu.Unlock()
		p.all.Go(func() { p.pipe(one, client, p.watched(one)) })
		p.all.Go(func() { p.pipe(one, broker, p.unlessMute(client)) })
	}
}

// watched looks at what the client says: a whole basic.cancel comes in one piece.
func (p *proxy) watched(one *pair) func([]byte) (int, error) {
	basicCancel := []byte{0, 60, 0, 30}
	return func(data []byte) (int, error) {
		n, err := one.write(data)
		if bytes.Contains(data, basicCancel) {
			p.cancelled <- struct{}{}
		}
		return n, err
	}
}

func (p *pair) write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broker.Write(data)
}

func (p *proxy) unlessMute(client net.Conn) func([]byte) (int, error) {
	return func(data []byte) (int, error) {
		if p.swallows() {
			return len(data), nil
		}
		return client.Write(data)
	}
}

func (p *proxy) pipe(one *pair, from io.Reader, write func([]byte) (int, error)) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && err == nil {
			_, err = write(buffer[:n])
		}
		if err != nil {
			p.close(one)
			return
		}
	}
}

func (p *proxy) close(one *pair) {
	_ = one.client.Close()
	_ = one.broker.Close()
	p.mu.Lock()
	delete(p.pairs, one)
	p.mu.Unlock()
}

// connections are those of this moment.
func (p *proxy) connections() []*pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*pair
	for one := range p.pairs {
		list = append(list, one)
	}
	return list
}

// cut closes all connections, on both sides, without a word.
func (p *proxy) cut() {
	for _, one := range p.connections() {
		p.close(one)
	}
}

// swallow begins or ends to swallow whatever the broker says.
func (p *proxy) swallow(mute bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute = mute
}

// swallowAfter lets the broker speak so many times, and then swallows everything.
func (p *proxy) swallowAfter(times int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute, p.left = times == 0, times
}

// swallows decides on one thing that the broker says.
func (p *proxy) swallows() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mute {
		p.swallowed = true
		return true
	}
	if p.left > 0 {
		p.left--
		p.mute = p.left == 0
	}
	return false
}

func (p *proxy) hasSwallowed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.swallowed
}

// ackUnknownTag says to the broker, on channel 1 of every connection, what a double ack says. The
// broker closes the channel for it, and leaves the connection open.
func (p *proxy) ackUnknownTag(t *testing.T) {
	t.Helper()
	frame := []byte{
		1, 0, 1, // a method frame on channel 1
		0, 0, 0, 13, // of 13 bytes:
		0, 60, 0, 80, // basic.ack
		0, 0, 0, 0, 0, 0, 0x27, 0x0f, // of tag 9999
		0,    // alone
		0xce, // the end of the frame
	}
	for _, one := range p.connections() {
		if _, err := one.write(frame); err != nil {
			t.Fatal(err)
		}
	}
}
