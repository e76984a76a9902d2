package idempotency

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
)

// fingerprint hashes what makes a request this request: method, path, query and the body in its
// canonical form. Every part is preceded by its length, because a plain concatenation of a+bc and
// ab+c would be the same. Headers are left out: an honest retry may differ in them.
func fingerprint(r *http.Request, canonicalBody []byte) []byte {
	hash := sha256.New()
	parts := [][]byte{
		[]byte("1"), []byte(r.Method), []byte(r.URL.EscapedPath()), []byte(r.URL.RawQuery), canonicalBody,
	}
	for _, part := range parts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		hash.Write(length[:])
		hash.Write(part)
	}
	return hash.Sum(nil)
}
