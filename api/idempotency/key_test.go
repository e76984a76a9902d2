package idempotency_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/doublecharge/api/idempotency"
)

func header(lines ...string) http.Header {
	return http.Header{idempotency.Header: lines}
}

func TestParseKeyReadsBareAndQuotedKeysAlike(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", 255)
	for line, want := range map[string]string{
		`abc`:                                    "abc",
		`"abc"`:                                  "abc",
		`8e03978e-40d5-43e8-bc93-6894a57f9324`:   "8e03978e-40d5-43e8-bc93-6894a57f9324",
		`"8e03978e-40d5-43e8-bc93-6894a57f9324"`: "8e03978e-40d5-43e8-bc93-6894a57f9324",
		`A.b_c~d:e+f/g=h-1`:                      "A.b_c~d:e+f/g=h-1",
		`"with space"`:                           "with space",
		`" "`:                                    " ",
		`"a\"b\\c"`:                              `a"b\c`,
		`"abc";version=1`:                        "abc", // Parameters are allowed, and not part of the key.
		`"abc" `:                                 "abc",
		`k`:                                      "k",
		long:                                     long,
		`"` + long + `"`:                         long,
		// 255 characters, each written as two.
		`"` + strings.Repeat(`\\`, 255) + `"`: strings.Repeat(`\`, 255),
	} {
		if got, err := idempotency.ParseKey(header(line)); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", line, got, err, want)
		}
	}
}

func TestParseKeyRefusesWhatIsNoKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		header http.Header
		want   error
	}{
		"no header":           {http.Header{}, idempotency.ErrKeyMissing},
		"an empty line":       {header(""), idempotency.ErrKeyMissing},
		"two lines":           {header("abc", "abc"), idempotency.ErrKeyMalformed},
		"a string in two":     {header(`"a`, `b"`), idempotency.ErrKeyMalformed},
		"an empty string":     {header(`""`), idempotency.ErrKeyMalformed},
		"unclosed quote":      {header(`"abc`), idempotency.ErrKeyMalformed},
		"quote at the end":    {header(`abc"`), idempotency.ErrKeyMalformed},
		"a lone quote":        {header(`"`), idempotency.ErrKeyMalformed},
		"something after":     {header(`"abc"d`), idempotency.ErrKeyMalformed},
		"two strings":         {header(`"a", "b"`), idempotency.ErrKeyMalformed},
		"two bare":            {header(`a, b`), idempotency.ErrKeyMalformed},
		"space inside":        {header("a b"), idempotency.ErrKeyMalformed},
		"256 characters":      {header(strings.Repeat("k", 256)), idempotency.ErrKeyMalformed},
		"256, quoted":         {header(`"` + strings.Repeat("k", 256) + `"`), idempotency.ErrKeyMalformed},
		"64 KiB":              {header(strings.Repeat("k", 64<<10)), idempotency.ErrKeyMalformed},
		"control character":   {header("\"a\x01\""), idempotency.ErrKeyMalformed},
		"tab":                 {header("\"a\tb\""), idempotency.ErrKeyMalformed},
		"not ASCII":           {header("kahve-☕"), idempotency.ErrKeyMalformed},
		"not ASCII, quoted":   {header(`"ödeme"`), idempotency.ErrKeyMalformed},
		"unknown escape":      {header(`"a\n"`), idempotency.ErrKeyMalformed},
		"escape of nothing":   {header(`"a\`), idempotency.ErrKeyMalformed},
		"a list in brackets":  {header(`("abc")`), idempotency.ErrKeyMalformed},
		"a parameter to bare": {header(`abc;version=1`), idempotency.ErrKeyMalformed},
	} {
		if got, err := idempotency.ParseKey(c.header); !errors.Is(err, c.want) || got != "" {
			t.Errorf("%s: got %q, %v, want %v", name, got, err, c.want)
		}
	}
}

// TestAnyPrintableKeyComesThroughItsQuotes writes keys as structured-field strings and reads them back.
func TestAnyPrintableKeyComesThroughItsQuotes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[ -~]{1,255}`).Draw(t, "key")
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if got, err := idempotency.ParseKey(header(quoted)); err != nil || got != key {
			t.Fatalf("%s: got %q, %v", quoted, got, err)
		}
	})
}

// TestABareKeyIsTheQuotedOne, whatever of the allowed characters it is made of.
func TestABareKeyIsTheQuotedOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[A-Za-z0-9._~:+/=-]{1,255}`).Draw(t, "key")
		bare, err := idempotency.ParseKey(header(key))
		quoted, errQuoted := idempotency.ParseKey(header(`"` + key + `"`))
		if err != nil || errQuoted != nil || bare != key || quoted != key {
			t.Fatalf("bare %q, %v; quoted %q, %v", bare, err, quoted, errQuoted)
		}
	})
}

// FuzzParseKey: a key is 1 to 255 printable ASCII characters, or there is an error and no key.
func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{
		"", "abc", `"abc"`, `"a\"b"`, `"abc`, `"a";b=1`, `("a")`, "a b", `"a", "b"`, "\x00",
		"☕",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		key, err := idempotency.ParseKey(header(line))
		if err != nil {
			if key != "" || !errors.Is(err, idempotency.ErrKeyMissing) && !errors.Is(err, idempotency.ErrKeyMalformed) {
				t.Fatalf("got %q, %v", key, err)
			}
			return
		}
		if len(key) < 1 || len(key) > 255 {
			t.Fatalf("a key of %d bytes", len(key))
		}
		if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("key %q", key)
		}
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if again, err := idempotency.ParseKey(header(quoted)); err != nil || again != key {
			t.Fatalf("%q quoted is %q, %v", key, again, err)
		}
	})
}
