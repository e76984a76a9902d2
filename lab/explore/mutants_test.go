package explore_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/strategy"
)

// mutant is the default with one of its lines left out or spoilt, as its field says.
type mutant struct {
	noLook      bool // does not look
	noKey       bool // sends no key
	neverAsks   bool // charges an old job without asking the bank
	takesSilent bool // takes a bank that cannot be asked for "not charged"
	asksInVain  bool // asks, and charges all the same
	hopes       bool // takes an unknown outcome for a charge
	noMark      bool // writes the effects without the mark
	tools       strategy.Tools
}

func (m mutant) Handle(ctx context.Context, d strategy.Delivery) error {
	key := strategy.MessageID(d.Job())
	if !m.noLook {
		if seen, err := m.tools.Seen.Seen(ctx, key); err != nil || seen {
			return err
		}
	}
	outcome, err := m.charge(ctx, d, key)
	if err != nil && !m.hopes {
		return err
	}
	if m.noMark {
		return m.tools.Ledger.Apply(ctx, d.Job(), outcome)
	}
	return m.tools.Ledger.ApplyOnce(ctx, key, d.Job(), outcome)
}

func (m mutant) charge(ctx context.Context, d strategy.Delivery, key payments.Key) (payments.Outcome, error) {
	if m.noKey {
		key = payments.NoKey
	}
	if d.Age() >= 23*time.Hour && !m.neverAsks {
		outcome, found, err := m.tools.Bank.Find(ctx, d.Job())
		if found && !m.asksInVain || err != nil && !m.takesSilent {
			return outcome, err
		}
	}
	return m.tools.Bank.Charge(ctx, d.Job(), key)
}

// TestEveryGuardOfTheDefaultIsNeeded takes out each line that guards something. The look guards nothing: it
// spares the bank a call, and whoever takes it out is safe all the same.
func TestEveryGuardOfTheDefaultIsNeeded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		mutant
		want map[explore.Adversary][]explore.Property
	}{
		{"as it is", mutant{}, nil},
		{"no look", mutant{noLook: true}, nil},
		{"no key", mutant{noKey: true}, map[explore.Adversary][]explore.Property{
			explore.Crash: {explore.Charge}, explore.TwoWorkers: {explore.Charge}, explore.LostAnswer: {explore.Charge},
		}},
		{"never asks the bank", mutant{neverAsks: true}, map[explore.Adversary][]explore.Property{
			explore.ForgottenKey: {explore.Charge},
		}},
		{"takes a silent bank for a no", mutant{takesSilent: true}, map[explore.Adversary][]explore.Property{
			explore.ForgottenKey: {explore.Charge},
		}},
		{"asks, and charges all the same", mutant{asksInVain: true}, map[explore.Adversary][]explore.Property{
			explore.ForgottenKey: {explore.Charge},
		}},
		{"takes unknown for charged", mutant{hopes: true}, map[explore.Adversary][]explore.Property{
			explore.LostAnswer: {explore.Status}, explore.ForgottenKey: {explore.Status},
		}},
		{"effects without the mark", mutant{noMark: true}, map[explore.Adversary][]explore.Property{
			explore.Crash: {explore.Points}, explore.Duplicate: {explore.Points}, explore.TwoWorkers: {explore.Points},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			make := func(tools strategy.Tools) strategy.Strategy {
				m := c.mutant
				m.tools = tools
				return m
			}
			result, err := explore.With(t.Context(), c.name, make, explore.DefaultBounds())
			if err != nil {
				t.Fatal(err)
			}
			got := map[explore.Adversary][]explore.Property{}
			for _, s := range result.Searches {
				for _, v := range s.Violations {
					if s.Adversary != explore.Combined && !slices.Contains(got[s.Adversary], v.Property) {
						got[s.Adversary] = append(got[s.Adversary], v.Property)
					}
				}
			}
			if len(c.want) == 0 && len(got) == 0 {
				return
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("breaks (-want +got):\n%s", diff)
			}
		})
	}
}
