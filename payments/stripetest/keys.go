package stripetest

import (
	"encoding/json"
	"net/http"
	"time"
)

// The rules for idempotency keys of API v1.
const (
	maxKeyLength = 255
	keyMemory    = 24 * time.Hour
)

// A keptAnswer is what a key remembers: which call it was first used for and, once that call has
// been executed, the answer, good or bad.
type keptAnswer struct {
	Key         string          `json:"key"`
	Path        string          `json:"path"`
	Fingerprint string          `json:"fingerprint"`
	Request     string          `json:"request"`
	At          time.Time       `json:"at"`
	Status      int             `json:"status"`
	Body        json.RawMessage `json:"body"`
}

// A keyring holds the keys of one account. A key is claimed while its call is executed and kept
// afterwards; claims live in memory alone, because a crash ends the calls that hold them.
//
//	unknown ──claim──▶ in flight ──keep──▶ kept ──24 h──▶ unknown
//	                       └──── release (nothing kept) ────▲
type keyring struct {
	kept   map[string]*keptAnswer
	oldest []*keptAnswer // In the order of keeping, so that the front is the next to be forgotten.
	claims map[string]*keptAnswer
}

func (k *keyring) claim(call *keptAnswer) {
	if k.claims == nil {
		k.claims = map[string]*keptAnswer{}
	}
	k.claims[call.Key] = call
}

func (k *keyring) release(call *keptAnswer) {
	if k.claims[call.Key] == call {
		delete(k.claims, call.Key)
	}
}

func (k *keyring) keep(answer *keptAnswer) {
	if k.kept == nil {
		k.kept = map[string]*keptAnswer{}
	}
	k.kept[answer.Key] = answer
	k.oldest = append(k.oldest, answer)
}

// forget drops what is 24 hours old. A key that is used again after that is a new one: the same call
// charges again.
func (k *keyring) forget(now time.Time) {
	for len(k.oldest) > 0 && now.Sub(k.oldest[0].At) >= keyMemory {
		if first := k.oldest[0]; k.kept[first.Key] == first {
			delete(k.kept, first.Key)
		}
		k.oldest[0] = nil
		k.oldest = k.oldest[1:]
	}
}

// recall looks a call up under its key: the answer to replay, or an error, or neither for a new key.
func (k *keyring) recall(call *keptAnswer) (*keptAnswer, *apiError) {
	if len(call.Key) > maxKeyLength {
		return nil, invalid("", "", "Idempotency keys can have up to %d characters, but you passed %d.",
			maxKeyLength, len(call.Key))
	}
	if answer, found := k.kept[call.Key]; found {
		return answer, answer.conflict(call)
	}
	if first, found := k.claims[call.Key]; found {
		if err := first.conflict(call); err != nil {
			return nil, err
		}
		return nil, keyInUse(call.Key)
	}
	return nil, nil
}

// conflict tells why a call may not use the key that another call used first.
func (a *keptAnswer) conflict(call *keptAnswer) *apiError {
	switch {
	case a.Path != call.Path:
		return newError(http.StatusBadRequest, "idempotency_error", "",
			"Keys for idempotent requests can only be used for the same endpoint they were first used for ('"+
				call.Path+"' vs '"+a.Path+"'). Try using a key other than '"+call.Key+
				"' if you meant to execute a different request.")
	case a.Fingerprint != call.Fingerprint:
		return newError(http.StatusBadRequest, "idempotency_error", "",
			"Keys for idempotent requests can only be used with the same parameters they were first used with. "+
				"Try using a key other than '"+call.Key+"' if you meant to execute a different request.")
	default:
		return nil
	}
}

func keyInUse(key string) *apiError {
	return newError(http.StatusConflict, "idempotency_error", "idempotency_key_in_use",
		"There is currently another in-progress request using this Idempotent Key (that probably means you "+
			"submitted twice, and the other request is still going through): "+key+". Please try again later.")
}
