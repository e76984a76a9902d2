package explore

// Adversary is what may go wrong in one search.
type Adversary string

// The adversaries. Combined is all of them but the second purchase, with as many troubles in one schedule
// as it has crashes, and one more.
const (
	Crash          Adversary = "crash"
	Duplicate      Adversary = "duplicate"
	TwoWorkers     Adversary = "two-workers"
	LostAnswer     Adversary = "lost-answer"
	ForgottenKey   Adversary = "forgotten-key"
	LeaseEnd       Adversary = "lease-end"
	LostRedis      Adversary = "lost-redis"
	SecondPurchase Adversary = "second-purchase"
	Combined       Adversary = "combined"
)

// Adversaries lists them in the order of the lesson.
func Adversaries() []Adversary {
	return []Adversary{
		Crash, Duplicate, TwoWorkers, LostAnswer, ForgottenKey, LeaseEnd, LostRedis, SecondPurchase, Combined,
	}
}

// Property is what must hold. Charge is judged at every state, the others where nothing is on its way.
type Property string

// The properties.
const (
	Charge   Property = "charge"    // an order is charged at most once
	Lost     Property = "lost"      // an order is charged, or parked for a person
	SaleLost Property = "sale-lost" // an order is not taken for another one
	Status   Property = "status"    // the order's status says what the bank did
	Points   Property = "points"    // points are added once
	Receipt  Property = "receipt"   // one receipt is owed
)

// Properties lists them.
func Properties() []Property { return []Property{Charge, Lost, SaleLost, Status, Points, Receipt} }

// Bounds limit a search.
type Bounds struct {
	Crashes    int `json:"crashes"`
	Deliveries int `json:"deliveries"` // of one order's message
	Workers    int `json:"workers"`
}

// DefaultBounds are those of the command.
func DefaultBounds() Bounds { return Bounds{Crashes: 2, Deliveries: 3, Workers: 2} }

// budget is how much of each trouble is left.
type budget struct {
	crashes, duplicates, lost, unfound, forgets, leaseEnds, flushes, purchases int8
	// total bounds them together.
	total int8
}

// budget is what an adversary may spend, and how many workers and deliveries there are.
func (a Adversary) budget(b Bounds) (left budget, workers, deliveries int) {
	workers, deliveries = 1, b.Deliveries
	const unbounded = 100
	left.total = unbounded
	switch a {
	case Crash:
		left.crashes = int8(b.Crashes)
	case Duplicate:
		left.duplicates = 1
	case TwoWorkers:
		left.duplicates, workers = 1, b.Workers
	case LostAnswer:
		left.lost = 2
	case ForgottenKey:
		left.lost, left.unfound, left.forgets = 1, 1, 1
	case LeaseEnd:
		left.duplicates, left.leaseEnds, workers = 1, 1, b.Workers
	case LostRedis:
		left.duplicates, left.flushes = 1, 1
	case SecondPurchase:
		left.purchases, workers = 1, b.Workers
	case Combined:
		left = budget{
			crashes: int8(b.Crashes), duplicates: 1, lost: 1, unfound: 1, forgets: 1, leaseEnds: 1, flushes: 1,
			total: int8(b.Crashes) + 1,
		}
		workers = b.Workers
	}
	return left, workers, deliveries
}
