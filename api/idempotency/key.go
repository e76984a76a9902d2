package idempotency

import (
	"errors"
	"net/http"
	"strings"

	"github.com/dunglas/httpsfv"
)

// Header is the name of the header; the draft is draft-ietf-httpapi-idempotency-key-header-07, expired.
const Header = "Idempotency-Key"

// ReplayedHeader marks an answer that was stored before. The draft has no name for it; this is Stripe's.
const ReplayedHeader = "Idempotent-Replayed"

// What can be wrong with a key by itself.
var (
	ErrKeyMissing   = errors.New("the Idempotency-Key header is missing")
	ErrKeyMalformed = errors.New("the Idempotency-Key must be one value of 1 to 255 characters, bare or quoted")
)

const (
	maxKey  = 255
	bareSet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~:+/=-"
)

// ParseKey reads the key: a structured-field string, as the draft says, or bare, as most clients send
// it. The quotes belong to the wire, not to the key: "abc" and abc are the same key.
func ParseKey(h http.Header) (string, error) {
	values := h.Values(Header)
	if len(values) == 0 || (len(values) == 1 && values[0] == "") {
		return "", ErrKeyMissing
	}
	if len(values) > 1 {
		return "", ErrKeyMalformed // Get would silently take the first.
	}
	key := values[0]
	if strings.HasPrefix(key, `"`) {
		item, err := httpsfv.UnmarshalItem(values)
		if err != nil {
			return "", ErrKeyMalformed
		}
		key, _ = item.Value.(string) // It began with a quote, so it is a string.
	} else if strings.Trim(key, bareSet) != "" {
		return "", ErrKeyMalformed
	}
	if key == "" || len(key) > maxKey {
		return "", ErrKeyMalformed
	}
	return key, nil
}
