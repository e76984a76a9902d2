package scenario

import (
	"cmp"
	"slices"
	"strings"
)

// near gives the three names that share most with the one that was meant, most first, or all of them where
// nothing is shared.
func near(meant string, names []string) []string {
	const most = 3
	shared := map[string]int{}
	for _, name := range names {
		shared[name] = common(meant, name)
	}
	best := slices.Clone(names)
	slices.SortStableFunc(best, func(a, b string) int { return cmp.Compare(shared[b], shared[a]) })
	if len(best) == 0 || shared[best[0]] == 0 {
		return names
	}
	return best[:min(most, len(best))]
}

// common counts the groups of three letters of a that are found in b.
func common(a, b string) int {
	const group = 3
	n := 0
	for i := 0; i+group <= len(a); i++ {
		if strings.Contains(b, a[i:i+group]) {
			n++
		}
	}
	return n
}
