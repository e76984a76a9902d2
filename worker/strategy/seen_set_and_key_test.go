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

var (
	find        = strategytest.BankCall{What: "find"}
	chargeByKey = strategytest.BankCall{What: "charge", Key: "m-1"}
)

func TestTheDefaultAsksTheBankFirstOnceTheKeyMayBeForgotten(t *testing.T) {
	t.Parallel()
	atOnce := []strategytest.BankCall{chargeByKey}
	lookedUp := []strategytest.BankCall{find, chargeByKey}
	for _, c := range []struct {
		name  string
		age   time.Duration
		calls []strategytest.BankCall
	}{
		{"a new job is charged at once", 0, atOnce},
		{"a job of almost 23 hours too", 23*time.Hour - 1, atOnce},
		{"a job of 23 hours is looked up, and charged when it is not found", 23 * time.Hour, lookedUp},
		{"a job of a week too", 7 * 24 * time.Hour, lookedUp},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, "seen-set-and-key")
			s.age = c.age
			s.delivers()
			if diff := cmp.Diff(c.calls, s.world.Bank.Calls()); diff != "" {
				t.Errorf("calls to the bank (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(once, s.left()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheDefaultDoesNotChargeAnOldJobThatTheBankFinds(t *testing.T) {
	t.Parallel()
	s := newShop(t, "seen-set-and-key")
	loseAnAnswerOfYesterday(s)
	s.delivers()
	if diff := cmp.Diff([]strategytest.BankCall{chargeByKey, find}, s.world.Bank.Calls()); diff != "" {
		t.Errorf("calls to the bank (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(once, s.left()); diff != "" {
		t.Error(diff)
	}
	if id := s.world.Effects("m-1").ChargeID; id != "ch_1" {
		t.Errorf("our books name %q, not the charge that was found", id)
	}
}

func TestTheDefaultNeverChargesAnOldJobWhenTheBankCannotBeAsked(t *testing.T) {
	t.Parallel()
	s := newShop(t, "seen-set-and-key")
	loseAnAnswerOfYesterday(s)
	s.world.Bank.Have(strategytest.Trouble{NoFind: true})
	s.fails(payments.ErrUnavailable)
	if n := s.world.Bank.Charges("m-1"); n != 1 {
		t.Errorf("%d charges: it charged without having asked", n)
	}
}

func loseAnAnswerOfYesterday(s *shop) {
	s.world.Bank.Have(strategytest.Trouble{LoseNext: true})
	s.fails(payments.ErrUnknown)
	s.world.Bank.Forget()
	s.age = 24 * time.Hour
}

// TestNoStrategyChargesWhenItsSeenSetCannotBeRead: a look that fails is no "not seen".
func TestNoStrategyChargesWhenItsSeenSetCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"check-then-act", "seen-set", "claim-lease", "transactional", "seen-set-and-key", "redis-seen-set", "hybrid",
		"payload-key", "receiver-key", "timestamp-key", "trace-key", "redelivered-only",
	} {
		s := newShop(t, id)
		s.again = true
		tools := s.world.Tools()
		broken := brokenSeenSet{tools.Seen}
		tools.Seen, tools.Unguarded, tools.Redis, tools.Hybrid, tools.Claims = broken, broken, broken, broken, broken
		for _, named := range strategy.All(tools) {
			if named.ID == id {
				s.strategy = named.Strategy
			}
		}
		s.fails(errBroken)
		if calls := s.world.Bank.Calls(); len(calls) > 0 {
			t.Errorf("%s asked the bank: %v", id, calls)
		}
	}
}

var errBroken = errors.New("broken")

type brokenSeenSet struct{ strategy.SeenSet }

func (brokenSeenSet) Seen(context.Context, payments.Key) (bool, error) { return false, errBroken }

func (brokenSeenSet) Claim(context.Context, payments.Key, time.Duration) (payments.Claim, error) {
	return payments.Claim{}, errBroken
}

// TestTheUnkeyedStrategiesSendNoKeyOfOurs: the library's own random key is what makes them look protected.
func TestTheUnkeyedStrategiesSendNoKeyOfOurs(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		"naive", "ack-first", "mark-first", "check-then-act", "seen-set", "claim-lease", "transactional",
		"redis-seen-set", "redelivered-only",
	} {
		s := newShop(t, id)
		s.delivers()
		unkeyed := []strategytest.BankCall{{What: "charge", Key: payments.NoKey}}
		if diff := cmp.Diff(unkeyed, s.world.Bank.Calls()); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

func TestTheStrategiesComeInTheOrderOfTheLesson(t *testing.T) {
	t.Parallel()
	want := []string{
		"naive", "ack-first", "mark-first", "check-then-act", "seen-set", "claim-lease", "transactional", "key-only",
		"seen-set-and-key", "redis-seen-set", "hybrid", "lookup-first", "payload-key", "receiver-key",
		"timestamp-key", "trace-key", "redelivered-only",
	}
	if diff := cmp.Diff(want, strategy.IDs()); diff != "" {
		t.Error(diff)
	}
}
