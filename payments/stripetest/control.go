package stripetest

import (
	"errors"
	"time"
)

// maxOffset keeps clocks within the years that JSON can show.
const maxOffset = 100 * 365 * 24 * time.Hour

var errTooFar = errors.New("a clock moves forward only, and by 100 years at most")

// A Clock is where an account's time stands.
type Clock struct {
	Now    time.Time `json:"now"`
	Offset string    `json:"offset"`
}

// Advance moves the clock of an account, or with no name those of all, present and future.
func (s *Server) Advance(account string, d time.Duration) (Clock, error) {
	clock, err := s.advance(account, d)
	if err != nil {
		return Clock{}, err
	}
	return clock, s.log.flush()
}

func (s *Server) advance(account string, d time.Duration) (Clock, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d < 0 || d > maxOffset-s.bank.farthest() {
		return Clock{}, errTooFar
	}
	if err := s.record(entry{Account: account, Advance: d}); err != nil {
		return Clock{}, err
	}
	offset := s.bank.offsetOf(account)
	return Clock{Now: s.config.Now().Add(offset).UTC(), Offset: offset.String()}, nil
}

// Reset forgets an account, its clock and faults too, or with no name all of them, and then the log as well.
func (s *Server) Reset(account string) error {
	s.faults.disarm(account)
	defer s.faults.letGo(account) // Afterwards, so that a held call finds out that it was forgotten.
	if err := s.reset(account); err != nil {
		return err
	}
	return s.log.flush()
}

func (s *Server) reset(account string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	forgotten := entry{Account: account, Reset: true}
	if s.bank.holdsOnly(account) {
		if err := s.log.empty(); err != nil {
			return err
		}
		s.bank.apply(forgotten)
		return nil
	}
	return s.record(forgotten)
}

// Requests returns the journal of an account, or with no name of all, oldest first.
func (s *Server) Requests(account string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bank.Requests(account)
}

// Charges returns the charges of an account, or with no name of all, paid and failed, oldest first.
func (s *Server) Charges(account string) []Charge {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bank.Charges(account)
}
