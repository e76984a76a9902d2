package strategy_test

import (
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
	pointsTwice   = left{1, 840, 1, payments.OrderPaid}
	everyTwice    = left{2, 840, 1, payments.OrderPaid} // but for the receipt, which has a constraint
	declined      = left{0, 0, 0, payments.OrderFailed}
	noLedger      = left{1, 0, 0, ""} // money that our books never hear of
	jobLost       = left{0, 0, 0, ""}
	notApplicable = left{} // the strategy has no such moment
)

// scenarios is the one table of what each strategy makes of what can happen. Those that are not named make
// of it what the others do.
var scenarios = []struct {
	name   string
	play   func(*shop)
	others left
	want   map[string]left
}{
	{"nothing goes wrong", func(s *shop) { s.delivers() }, once, nil},
	{"delivered again after it was done", doneAndAgain, once, map[string]left{
		"naive": everyTwice, "key-only": pointsTwice, "receiver-key": everyTwice, "timestamp-key": everyTwice,
	}},
	{"published twice, the second after the first is done", publishedTwice, once, map[string]left{
		"naive": everyTwice, "ack-first": everyTwice, "key-only": pointsTwice, "receiver-key": everyTwice,
		"timestamp-key": everyTwice, "redelivered-only": everyTwice,
	}},
	{"done, the bank forgets its key, and delivered again", forgetAndDeliver, once, map[string]left{
		"naive": everyTwice, "key-only": everyTwice, "receiver-key": pointsTwice, "timestamp-key": pointsTwice,
	}},
	{"done, Redis is flushed, and delivered again", flushAndDeliver, once, map[string]left{
		"naive": everyTwice, "key-only": pointsTwice, "receiver-key": everyTwice, "timestamp-key": everyTwice,
		"redis-seen-set": everyTwice,
	}},
	{"crash after the claim", crashAfter(strategytest.Claim), notApplicable, map[string]left{"claim-lease": once}},
	{"crash after the charge", crashAfter(strategytest.Charge), chargedTwice, map[string]left{
		"ack-first": noLedger, "mark-first": noLedger,
		"key-only": once, "seen-set-and-key": once, "hybrid": once, "lookup-first": once, "payload-key": once,
		"trace-key": once,
	}},
	{"crash after the effects, before the mark", crashAfter(strategytest.Apply), notApplicable, map[string]left{
		"naive": everyTwice, "ack-first": once, "mark-first": once, "check-then-act": everyTwice,
		"seen-set": everyTwice, "key-only": pointsTwice, "redis-seen-set": everyTwice, "redelivered-only": everyTwice,
	}},
	{"crash after the mark", crashAfter(strategytest.Mark), notApplicable, map[string]left{
		"mark-first": jobLost, "check-then-act": once, "seen-set": once, "redis-seen-set": once,
		"redelivered-only": once,
	}},
	{"crash after mark and effects together", crashAfter(strategytest.ApplyOnce), notApplicable, map[string]left{
		"transactional": once, "seen-set-and-key": once, "hybrid": once, "lookup-first": once, "payload-key": once,
		"trace-key": once, "receiver-key": everyTwice, "timestamp-key": everyTwice,
	}},
	{"crash after the claim is completed", crashAfter(strategytest.Complete), notApplicable, map[string]left{
		"claim-lease": once,
	}},
	{"the answer is lost", loseAnAnswer, chargedTwice, map[string]left{
		"ack-first": noLedger, "mark-first": noLedger,
		"key-only": once, "seen-set-and-key": once, "hybrid": once, "lookup-first": once, "payload-key": once,
		"trace-key": once,
	}},
	{"the bank is down at first", bankDownAtFirst, once, map[string]left{"ack-first": jobLost, "mark-first": jobLost}},
	{"declined, and delivered again", declineTwice, declined, nil},
	{"declined, and the answer is lost", declineAndLose, declined, map[string]left{
		"ack-first": jobLost, "mark-first": jobLost,
	}},
	{"the answer is lost, and a day later the key is forgotten", forgetTheKey, once, map[string]left{
		"naive": chargedTwice, "ack-first": noLedger, "mark-first": noLedger, "check-then-act": chargedTwice,
		"seen-set": chargedTwice, "claim-lease": chargedTwice, "transactional": chargedTwice, "key-only": chargedTwice,
		"redis-seen-set": chargedTwice, "redelivered-only": chargedTwice,
	}},
}

func doneAndAgain(s *shop) {
	s.delivers()
	s.comesBack()
}

func publishedTwice(s *shop) {
	s.delivers()
	s.world.LaterBy(1)
	s.delivers()
}

func crashAfter(call strategytest.Call) func(*shop) {
	return func(s *shop) {
		s.wanted++
		s.world.CrashAfter(call)
		s.delivers()
		if s.crashes > 0 { // A strategy that never makes this call is not delivered again.
			s.world.LeasesEnd()
			s.comesBack()
		}
	}
}

func loseAnAnswer(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{LoseNext: true})
	s.fails(payments.ErrUnknown)
	s.isRetried()
}

func bankDownAtFirst(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{Down: true})
	if err := s.handle(); err == nil {
		s.t.Errorf("%s takes a bank that is down for done", s.job.Strategy)
	}
	s.world.Bank.Have(strategytest.Trouble{})
	s.isRetried()
}

func forgetAndDeliver(s *shop) {
	s.delivers()
	s.world.Bank.Forget()
	s.age = 25 * time.Hour
	s.comesBack()
}

func flushAndDeliver(s *shop) {
	s.delivers()
	if err := s.world.Redis.Flush(s.t.Context()); err != nil {
		s.t.Error(err)
	}
	s.comesBack()
}

func declineTwice(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{Declines: true})
	s.delivers()
	s.comesBack()
}

func declineAndLose(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{Declines: true, LoseNext: true})
	s.fails(payments.ErrUnknown)
	s.isRetried()
}

func forgetTheKey(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{LoseNext: true})
	s.fails(payments.ErrUnknown)
	s.world.Bank.Forget()
	s.age = 25 * time.Hour
	s.isRetried()
}

// TestWhatEachStrategyMakesOfWhatCanHappen plays every scenario with every strategy there is.
func TestWhatEachStrategyMakesOfWhatCanHappen(t *testing.T) {
	t.Parallel()
	for _, scenario := range scenarios {
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			for _, id := range strategy.IDs() {
				want, named := scenario.want[id]
				if !named {
					want = scenario.others
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

// TestAnHonestSecondPurchase: the same customer, thing, amount, trace and second.
func TestAnHonestSecondPurchase(t *testing.T) {
	t.Parallel()
	dropped := map[string]bool{"payload-key": true, "timestamp-key": true, "trace-key": true}
	for _, id := range strategy.IDs() {
		s := newShop(t, id)
		s.delivers()
		s.job.MessageID, s.job.OrderID = "m-2", "o-2"
		s.acked = false
		s.delivers()
		if got := s.world.Bank.Charges("m-2") == 0; got != dropped[id] {
			t.Errorf("%s drops it: %t, want %t", id, got, dropped[id])
		}
	}
}
