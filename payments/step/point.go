package step

import "slices"

// Point is where a fault can be armed, and what it can do there.
type Point struct {
	Name Name
	// Actions lists what may be asked for. One that stands alone need not be named.
	Actions []Action
}

// The points around the steps. Those of stripe strike the next call to the bank: a loss before or after
// it was executed, a 500 before or after, and so on; the point says it all, so their action is empty.
const (
	StripeRequestLost    Name = "stripe.request_lost"
	StripeResponseLost   Name = "stripe.response_lost"
	StripeError500       Name = "stripe.error_500"
	StripeChargedThen500 Name = "stripe.charged_then_500"
	StripeStored500      Name = "stripe.stored_500" // the emulator keeps the 500 under the key
	StripeRateLimited    Name = "stripe.rate_limited"
	StripeKeyInUse       Name = "stripe.key_in_use"
	StripeSlow           Name = "stripe.slow"
	BrokerDuplicate      Name = "broker.duplicate" // the next publish goes out twice
	BrokerRestart        Name = "broker.restart"
	DatabaseRestart      Name = "database.restart"
	RedisFlush           Name = "redis.flush"
)

// StripePoints lists the points at the bank's transport.
func StripePoints() []Name {
	return []Name{
		StripeRequestLost, StripeResponseLost, StripeError500, StripeChargedThen500, StripeStored500,
		StripeRateLimited, StripeKeyInUse, StripeSlow,
	}
}

// Points is the one table of what can be armed where.
func Points() []Point {
	var points []Point
	for _, name := range Names() {
		actions := []Action{Crash, Error, Hang, Hold}
		if name.connected() {
			actions = append(actions, Disconnect)
		}
		points = append(points, Point{name, actions})
	}
	for _, name := range StripePoints() {
		points = append(points, Point{name, []Action{""}})
	}
	return append(points,
		Point{BrokerDuplicate, []Action{Duplicate}},
		Point{BrokerRestart, []Action{Now}},
		Point{DatabaseRestart, []Action{Now}},
		Point{RedisFlush, []Action{Now}},
	)
}

// PointOf looks a point up.
func PointOf(name Name) (Point, bool) {
	points := Points()
	i := slices.IndexFunc(points, func(p Point) bool { return p.Name == name })
	if i < 0 {
		return Point{}, false
	}
	return points[i], true
}

// connected says whether a step's process has a connection to the broker.
func (n Name) connected() bool {
	return slices.Contains([]Name{
		RelayClaimed, RelayPublished, RelayMarked,
		WorkerReceived, WorkerChecked, WorkerCharging, WorkerCharged, WorkerApplied, WorkerRecorded, WorkerAcked,
	}, n)
}
