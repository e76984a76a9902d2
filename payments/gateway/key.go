package gateway

import (
	"errors"
	"strings"
)

// ErrKey says that a secret key may not be used here. Its text never holds the key.
var ErrKey = errors.New("STRIPE_SECRET_KEY must begin with sk_test_ or rk_test_: live keys are refused")

// CheckKey accepts test keys, restricted ones too, and nothing else.
func CheckKey(key string) error {
	for _, prefix := range []string{"sk_test_", "rk_test_"} {
		if strings.HasPrefix(key, prefix) && len(key) > len(prefix) {
			return nil
		}
	}
	return ErrKey
}
