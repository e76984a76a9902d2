package stripetest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxParams bounds the work of one call; no honest form comes near it.
const maxParams = 1000

// params is a decoded form. Nested names keep their brackets: metadata[order_id], expand[0].
type params map[string]string

// decodeParams reads a form. An element named a[] gets the next free index, so that a[]=x and
// a[0]=x are the same parameter.
func decodeParams(form string) (params, *apiError) {
	if strings.Count(form, "&") >= maxParams {
		return nil, invalid("", "", "A request can have at most %d parameters.", maxParams)
	}
	p := params{}
	for pair := range strings.SplitSeq(form, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(rawName)
		value, valueErr := url.QueryUnescape(rawValue)
		if nameErr != nil || valueErr != nil || !utf8.ValidString(name) || !utf8.ValidString(value) {
			return nil, invalid("", "", "The request body or query is not a valid UTF-8 form.")
		}
		if stem, ok := strings.CutSuffix(name, "[]"); ok {
			name = p.nextElement(stem)
		}
		if _, twice := p[name]; twice {
			return nil, invalid("", name, "The parameter %s was given twice.", name)
		}
		p[name] = value
	}
	return p, nil
}

func (p params) nextElement(stem string) string {
	for i := 0; ; i++ {
		name := stem + "[" + strconv.Itoa(i) + "]"
		if _, taken := p[name]; !taken {
			return name
		}
	}
}

// fingerprint tells whether two calls carry the same parameters, in whatever order.
func (p params) fingerprint() string {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(p)) {
		// Escaping keeps a name or value from imitating the separators.
		hash.Write([]byte(url.QueryEscape(name) + "=" + url.QueryEscape(p[name]) + "&"))
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// children returns what stands in the outermost brackets after the name: for metadata[a]=b, a and b.
func (p params) children(name string) map[string]string {
	found := map[string]string{}
	for full, value := range p {
		inner, ok := strings.CutPrefix(full, name+"[")
		if inner, closed := strings.CutSuffix(inner, "]"); ok && closed {
			found[inner] = value
		}
	}
	return found
}

// elements returns the values of an array in the order of their indexes, and false where an index
// is no number.
func (p params) elements(name string) ([]string, bool) {
	children := p.children(name)
	indexes := map[string]int{}
	for inner := range children {
		index, err := strconv.Atoi(inner)
		if err != nil {
			return nil, false
		}
		indexes[inner] = index
	}
	ordered := slices.SortedFunc(maps.Keys(children), func(a, b string) int {
		return cmp.Compare(indexes[a], indexes[b])
	})
	values := make([]string, 0, len(ordered))
	for _, inner := range ordered {
		values = append(values, children[inner])
	}
	return values, true
}
