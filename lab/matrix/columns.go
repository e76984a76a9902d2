package matrix

import (
	"slices"
	"strings"

	"example.com/doublecharge/lab/explore"
	"example.com/doublecharge/payments/step"
)

// Durations of the faults, in milliseconds.
const (
	// aSecondLater keeps the second delivery until the second of the first is over.
	aSecondLater = 1100
	// standBy is longer than anything else in a run: somebody comes and releases it.
	standBy = 20_000
	// lease is how long a claim lasts in the column where it is too short, and overtime how long the work
	// then takes: longer than the two retries that find the claim held, and taken over.
	lease    = int64(200)
	overtime = 1200
)

// specOf is the run that tries a column on a strategy, and the fault that must have struck in it. ok is
// false where the strategy has no such moment.
func specOf(column, strategy string, p explore.Profile) (spec step.RunSpec, point step.Name, ok bool) {
	spec = step.RunSpec{Strategy: strategy, Orders: 1}
	if at, isCrash := strings.CutPrefix(column, "crash:"); isCrash {
		spec.Faults = []step.Fault{crash(step.Name(at))}
		point, ok = step.Name(at), slices.Contains(p.Steps, at)
	} else {
		point, ok = other(column, p, &spec)
	}
	if p.Clock && !slices.ContainsFunc(spec.Faults, onReceipt) {
		spec.Faults = append(spec.Faults, later())
	}
	return spec, point, ok
}

// other fills the spec of a column that is no crash.
func other(column string, p explore.Profile, spec *step.RunSpec) (point step.Name, ok bool) {
	switch column {
	case "broker.duplicate":
		// The copy comes when the first is settled: two at once are a column of their own.
		spec.Faults = []step.Fault{at("broker.duplicate", "duplicate"), later()}
		return "broker.duplicate", true
	case "two-workers":
		return twoWorkers(p, spec)
	case "redis.flush":
		spec.Then = []step.Reaction{
			{On: step.OnQuiet, Do: step.DoRedisFlush},
			{On: step.OnQuiet, Do: step.DoRedeliver},
		}
		return "redis.flush", p.Redis
	case "key-forgotten", "lookup-lost":
		forgotten(spec)
		if column == "lookup-lost" {
			silent := at("stripe.error_500", "")
			silent.Delivery = 2
			spec.Faults = append(spec.Faults, silent)
			return "stripe.error_500", p.Keyed
		}
		return "stripe.response_lost", p.Keyed
	case "lease-end":
		ms, slow := lease, at(step.WorkerCharging, step.Hang)
		slow.DurationMS = overtime
		spec.Settings.LeaseMS = &ms
		spec.Faults = []step.Fault{at("broker.duplicate", "duplicate"), slow}
		return step.WorkerCharging, p.Claims
	case "second-purchase":
		secondPurchase(spec)
		return step.WorkerReceived, true
	default: // The bank's faults, which strike the next call to it.
		spec.Faults = []step.Fault{at(step.Name(column), "")}
		return step.Name(column), true
	}
}

// twoWorkers holds two deliveries of one message where both have looked or, without a look, where both
// have begun, and lets them go together.
func twoWorkers(p explore.Profile, spec *step.RunSpec) (point step.Name, ok bool) {
	together := at(step.WorkerReceived, step.Hold)
	if slices.Contains(p.Steps, string(step.WorkerChecked)) {
		together.Point = step.WorkerChecked
	}
	together.Arrivals, together.DurationMS = 2, standBy
	spec.Faults = []step.Fault{at("broker.duplicate", "duplicate"), together}
	return together.Point, true
}

// forgotten loses the bank's answer, and lets a day go by before the second delivery goes on.
func forgotten(spec *step.RunSpec) {
	held := at(step.WorkerReceived, step.Hold)
	held.Delivery, held.DurationMS = 2, standBy
	spec.Faults = []step.Fault{at("stripe.response_lost", ""), held}
	spec.Then = []step.Reaction{
		{On: step.StepWaiting, Do: step.DoClock, With: step.ReactionWith{Advance: "25h"}},
		{On: step.StepWaiting, Do: step.DoStep},
	}
}

// secondPurchase buys twice: the same customer, thing, amount, trace and, since both deliveries begin
// together, second.
func secondPurchase(spec *step.RunSpec) {
	both := at(step.WorkerReceived, step.Hold)
	both.Times, both.Delivery, both.DurationMS = 2, 1, standBy
	spec.Orders, spec.Faults = 2, []step.Fault{both}
	spec.Then = []step.Reaction{
		{On: step.StepWaiting, Do: step.DoStep, With: step.ReactionWith{Waiting: 2, Second: true}},
	}
}

func at(point step.Name, action step.Action) step.Fault {
	return step.Fault{Point: point, Action: action, Times: 1, DurationMS: 2000}
}

func crash(point step.Name) step.Fault { return at(point, step.Crash) }

// later keeps a second delivery on receipt for more than a second.
func later() step.Fault {
	fault := at(step.WorkerReceived, step.Hang)
	fault.Delivery, fault.DurationMS = 2, aSecondLater
	return fault
}

func onReceipt(f step.Fault) bool { return f.Point == step.WorkerReceived && f.Action != step.Crash }

// actionAt is what the fault at a point does; what is done to a server is done at once.
func actionAt(faults []step.Fault, point step.Name) step.Action {
	for _, fault := range faults {
		if fault.Point == point {
			return fault.Action
		}
	}
	return step.Now
}
