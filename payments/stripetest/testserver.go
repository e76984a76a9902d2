package stripetest

import (
	"cmp"
	"net/http/httptest"
	"time"
)

// TB is what a test server needs of a *testing.T. Naming it keeps package testing out of programs.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// A TestServer is an emulator in memory that runs for the length of a test.
type TestServer struct {
	// URL is what to give to a client instead of https://api.stripe.com.
	URL string

	tb     TB
	server *Server
}

// NewServer starts an emulator on a free port of this machine.
func NewServer(tb TB) *TestServer {
	tb.Helper()
	return NewServerWith(tb, Config{})
}

// NewServerWith is NewServer with settings.
func NewServerWith(tb TB, config Config) *TestServer {
	tb.Helper()
	server, err := New(config)
	if err != nil {
		tb.Fatalf("start the emulator: %v", err)
		return nil
	}
	listener := httptest.NewUnstartedServer(server)
	listener.Config.ReadTimeout = 10 * time.Second
	listener.Config.IdleTimeout = time.Minute
	listener.Start()
	tb.Cleanup(func() {
		server.faults.close() // Or the listener would wait for a call that is held.
		listener.Close()
		if err := server.Close(); err != nil {
			tb.Fatalf("close the emulator: %v", err)
		}
	})
	return &TestServer{URL: listener.URL, tb: tb, server: server}
}

// Advance moves the clock of all accounts.
func (s *TestServer) Advance(d time.Duration) {
	s.tb.Helper()
	if _, err := s.server.Advance("", d); err != nil {
		s.tb.Fatalf("advance the clock: %v", err)
	}
}

// Arm arms a fault. Times defaults to 1 and DurationMS to 2000.
func (s *TestServer) Arm(f Fault) {
	s.tb.Helper()
	f.Times, f.DurationMS = cmp.Or(f.Times, 1), cmp.Or(f.DurationMS, 2000)
	if err := f.check(); err != nil {
		s.tb.Fatalf("arm a fault: %v", err)
	}
	s.server.faults.arm(f)
}

// Release lets the calls of all accounts go that a hold keeps.
func (s *TestServer) Release() { s.server.faults.letGo("") }

// Reset forgets everything, the clock too.
func (s *TestServer) Reset() {
	s.tb.Helper()
	if err := s.server.Reset(""); err != nil {
		s.tb.Fatalf("reset the emulator: %v", err)
	}
}

// Requests returns what was asked, of all accounts, oldest first.
func (s *TestServer) Requests() []Request { return s.server.Requests("") }

// Charges returns what was charged, or tried, on all accounts, oldest first.
func (s *TestServer) Charges() []Charge { return s.server.Charges("") }
