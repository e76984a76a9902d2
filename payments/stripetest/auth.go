package stripetest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// From this length on, the rest of a key is taken for a secret of a real account.
const secretLength = 20

// authenticate returns the account that a request's API key speaks for. No key is ever echoed, kept
// or logged.
func authenticate(r *http.Request) (account string, refusal *apiError) {
	key := apiKey(r)
	switch {
	case key == "":
		return "", unauthorized("You did not provide an API key. Send it as a bearer token, as in " +
			"'Authorization: Bearer YOUR_SECRET_KEY', or as the user name of HTTP Basic.")
	case strings.HasPrefix(key, "sk_live_"), strings.HasPrefix(key, "rk_live_"):
		return "", unauthorized("This is an emulator of test mode: it refuses live keys. " +
			"Treat the one you sent as leaked.")
	}
	name, isSecret := strings.CutPrefix(key, "sk_test_")
	if !isSecret {
		name, isSecret = strings.CutPrefix(key, "rk_test_")
	}
	if !isSecret || name == "" {
		return "", unauthorized("Invalid API Key provided. It must begin with sk_test_ or rk_test_.")
	}
	if len(name) >= secretLength {
		sum := sha256.Sum256([]byte(name))
		return "acct_" + hex.EncodeToString(sum[:8]), nil
	}
	return name, nil
}

// apiKey accepts both ways of sending a key: as a bearer token, and as the user of HTTP Basic.
func apiKey(r *http.Request) string {
	if user, _, ok := r.BasicAuth(); ok {
		return user
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
