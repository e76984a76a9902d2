package stripetest

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Stripe's limits on metadata, counted in characters.
const (
	maxMetadataKeys  = 50
	maxMetadataKey   = 40
	maxMetadataValue = 500
)

// metadata reads the caller's own labels. An empty value means the key is not wanted.
func (r *reader) metadata() map[string]string {
	if r.params["metadata"] == "" { // "metadata=" clears, which for a new object means nothing.
		r.known = append(r.known, "metadata")
	}
	labels := r.params.children("metadata")
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		param := "metadata[" + key + "]"
		r.known = append(r.known, param)
		switch {
		case strings.ContainsAny(key, "[]"):
			r.fail(invalid("", param, "Metadata keys must not contain square brackets."))
		case utf8.RuneCountInString(key) > maxMetadataKey:
			r.fail(invalid("", param, "Metadata keys can have up to %d characters.", maxMetadataKey))
		case utf8.RuneCountInString(labels[key]) > maxMetadataValue:
			r.fail(invalid("", param, "Metadata values can have up to %d characters.", maxMetadataValue))
		case labels[key] == "":
			delete(labels, key)
		}
	}
	if len(labels) > maxMetadataKeys {
		r.fail(invalid("", "metadata", "You can have up to %d metadata keys, but you passed %d.",
			maxMetadataKeys, len(labels)))
	}
	return labels
}
