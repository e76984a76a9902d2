package strategy_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/strategy"
	"example.com/doublecharge/worker/strategy/strategytest"
)

// shop is one strategy in a world of its own, with one message.
type shop struct {
	t        *testing.T
	world    *strategytest.World
	strategy strategy.Strategy
	job      payments.ChargeJob
	age      time.Duration
	again    bool // the broker has delivered it before
	acked    bool // early: nothing brings it back
	crashes  int
	wanted   int // crashes
}

func newShop(t *testing.T, id string) *shop {
	t.Helper()
	s := &shop{t: t, world: strategytest.NewWorld(), job: payments.ChargeJob{
		MessageID: "m-1", OrderID: "o-1", Account: "ayse", Amount: 42000, Currency: payments.TRY,
		PaymentMethod: "pm_card_visa", Strategy: id, Traceparent: "00-t-s-01",
	}}
	for _, named := range strategy.All(s.world.Tools()) {
		if named.ID == id {
			s.strategy = named.Strategy
		}
	}
	if s.strategy == nil {
		t.Fatalf("there is no strategy %q", id)
	}
	return s
}

// delivers hands the message over; it is done, or the process dies of it.
func (s *shop) delivers() {
	s.t.Helper()
	if err := s.handle(); err != nil && !errors.Is(err, payments.ErrAlreadyDone) {
		s.t.Errorf("%s fails: %v", s.job.Strategy, err)
	}
}

// comesBack lets the broker deliver again what was not acked, a second later.
func (s *shop) comesBack() {
	s.t.Helper()
	s.again = true
	s.isRetried()
}

// isRetried lets the message come again, unless it was acked early.
func (s *shop) isRetried() {
	s.t.Helper()
	s.world.LaterBy(1)
	s.world.LeasesEnd()
	if !s.acked {
		s.delivers()
	}
}

// fails hands the message over, and it must be tried again later.
func (s *shop) fails(want error) {
	s.t.Helper()
	if err := s.handle(); !errors.Is(err, want) {
		s.t.Errorf("%s ends with %v, want %v", s.job.Strategy, err, want)
	}
}

func (s *shop) handle() (err error) {
	defer func() {
		switch died := recover().(type) {
		case nil:
		case strategytest.Crash:
			s.crashes++
		default:
			panic(died)
		}
	}()
	return s.strategy.Handle(s.t.Context(), delivery{s})
}

func (s *shop) left() left {
	effects := s.world.Effects(s.job.MessageID)
	return left{s.world.Bank.Charges(s.job.MessageID), effects.Points, effects.Receipts, effects.Status}
}

// delivery is a message in hand.
type delivery struct{ shop *shop }

func (d delivery) Job() payments.ChargeJob { return d.shop.job }
func (d delivery) Redelivered() bool       { return d.shop.again }
func (d delivery) Age() time.Duration      { return d.shop.age }

func (d delivery) Ack(context.Context) error {
	d.shop.acked = true
	return nil
}
