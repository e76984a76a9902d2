package strategy_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/strategy"
	"example.com/doublecharge/worker/strategy/strategytest"
)

// left is what a scenario leaves behind: the bank's charges, and the local effects.
type left struct {
	Charges  int
	Points   int64
	Receipts int
	Status   payments.OrderStatus
}

// The order of these tests is worth 420 points.
var (
	once          = left{1, 420, 1, payments.OrderPaid}
	chargedTwice  = left{2, 420, 1, payments.OrderPaid}
	everyTwice    = left{2, 840, 1, payments.OrderPaid} // but for the receipt, which has a constraint
	declined      = left{0, 0, 0, payments.OrderFailed}
	notApplicable = left{} // the strategy has no such moment
)

// scenarios is the one table of what each strategy makes of what can happen.
var scenarios = []struct {
	name string
	play func(*shop)
	want map[string]left
}{
	{"nothing goes wrong", func(s *shop) { s.delivers() }, map[string]left{
		"naive": once, "seen-set": once, "seen-set-and-key": once,
	}},
	{"delivered again after it was done", func(s *shop) { s.delivers(); s.delivers() }, map[string]left{
		"naive": everyTwice, "seen-set": once, "seen-set-and-key": once,
	}},
	{"done, the bank forgets its key, and delivered again", forgetAndDeliver, map[string]left{
		"naive": everyTwice, "seen-set": once, "seen-set-and-key": once,
	}},
	{"crash after the charge", crashAfter(strategytest.Charge), map[string]left{
		"naive": chargedTwice, "seen-set": chargedTwice, "seen-set-and-key": once,
	}},
	{"crash after the effects, before the mark", crashAfter(strategytest.Apply), map[string]left{
		"naive": everyTwice, "seen-set": everyTwice, "seen-set-and-key": notApplicable,
	}},
	{"crash after the mark", crashAfter(strategytest.Mark), map[string]left{
		"naive": notApplicable, "seen-set": once, "seen-set-and-key": notApplicable,
	}},
	{"crash after mark and effects together", crashAfter(strategytest.ApplyOnce), map[string]left{
		"naive": notApplicable, "seen-set": notApplicable, "seen-set-and-key": once,
	}},
	{"the answer is lost", loseAnAnswer, map[string]left{
		"naive": chargedTwice, "seen-set": chargedTwice, "seen-set-and-key": once,
	}},
	{"the bank is down at first", bankDownAtFirst, map[string]left{
		"naive": once, "seen-set": once, "seen-set-and-key": once,
	}},
	{"declined, and delivered again", declineTwice, map[string]left{
		"naive": declined, "seen-set": declined, "seen-set-and-key": declined,
	}},
	{"declined, and the answer is lost", declineAndLose, map[string]left{
		"naive": declined, "seen-set": declined, "seen-set-and-key": declined,
	}},
	{"the answer is lost, and a day later the key is forgotten", forgetTheKey, map[string]left{
		"naive": chargedTwice, "seen-set": chargedTwice, "seen-set-and-key": once,
	}},
}

func crashAfter(call strategytest.Call) func(*shop) {
	return func(s *shop) {
		s.wanted++
		s.world.CrashAfter(call)
		s.delivers()
		if s.crashes > 0 { // A strategy that never makes this call is not delivered again.
			s.delivers()
		}
	}
}

func loseAnAnswer(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{LoseNext: true})
	s.fails(payments.ErrUnknown)
	s.delivers()
}

func bankDownAtFirst(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{Down: true})
	s.fails(payments.ErrUnknown)
	s.world.Bank.Have(strategytest.Trouble{})
	s.delivers()
}

func forgetAndDeliver(s *shop) {
	s.delivers()
	s.world.Bank.Forget()
	s.delivers()
}

func declineTwice(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{Declines: true})
	s.delivers()
	s.delivers()
}

func declineAndLose(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{Declines: true, LoseNext: true})
	s.fails(payments.ErrUnknown)
	s.delivers()
}

func forgetTheKey(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{LoseNext: true})
	s.fails(payments.ErrUnknown)
	s.world.Bank.Forget()
	s.age = 25 * time.Hour
	s.delivers()
}

// TestWhatEachStrategyMakesOfWhatCanHappen plays every scenario with every strategy there is.
func TestWhatEachStrategyMakesOfWhatCanHappen(t *testing.T) {
	t.Parallel()
	for _, scenario := range scenarios {
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			for _, id := range strategy.IDs() {
				want, ok := scenario.want[id]
				if !ok {
					t.Errorf("the table does not say what %s makes of it", id)
					continue
				}
				s := newShop(t, id)
				scenario.play(s)
				if want == notApplicable && s.crashes == 0 {
					continue
				}
				if s.crashes != s.wanted {
					t.Errorf("%s crashed %d times, want %d", id, s.crashes, s.wanted)
				}
				if diff := cmp.Diff(want, s.left()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", id, diff)
				}
			}
		})
	}
}

// shop is one strategy in a world of its own, with one message.
type shop struct {
	t        *testing.T
	world    *strategytest.World
	strategy strategy.Strategy
	job      payments.ChargeJob
	age      time.Duration
	crashes  int
	wanted   int // crashes
}

func newShop(t *testing.T, id string) *shop {
	t.Helper()
	s := &shop{t: t, world: strategytest.NewWorld(), job: payments.ChargeJob{
		MessageID: "m-1", OrderID: "o-1", Account: "ayse", Amount: 42000, Currency: payments.TRY,
		PaymentMethod: "pm_card_visa", Strategy: id,
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
	return s.strategy.Handle(s.t.Context(), delivery{s.job, s.age})
}

func (s *shop) left() left {
	effects := s.world.Effects(s.job.MessageID)
	return left{s.world.Bank.Charges(s.job.MessageID), effects.Points, effects.Receipts, effects.Status}
}

// delivery is a message in hand.
type delivery struct {
	job payments.ChargeJob
	age time.Duration
}

func (d delivery) Job() payments.ChargeJob   { return d.job }
func (d delivery) Redelivered() bool         { return false }
func (d delivery) Age() time.Duration        { return d.age }
func (d delivery) Ack(context.Context) error { return nil }
