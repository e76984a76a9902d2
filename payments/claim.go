package payments

import "time"

// Claim is the right to work on a key until its lease ends. Whoever comes after that takes it over with
// a higher fence, and the claim with the lower one can complete nothing any more.
type Claim struct {
	Key   Key
	Fence int64
	Until time.Time
}
