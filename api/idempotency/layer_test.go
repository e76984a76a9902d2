package idempotency_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/doublecharge/api/idempotency"
	"example.com/doublecharge/payments"
)

// memory stores answers as the database does: the first one under a key wins.
type memory struct {
	mu      sync.Mutex
	answers map[string]payments.Answer
	// before is called with each answer that is to be saved; its error is Save's, and nothing is kept.
	before func(payments.Answer) error
	// after may say of what was kept that nobody knows.
	after func() error
}

func (m *memory) save(_ context.Context, a payments.Answer, _ string) error {
	if m.before != nil {
		if err := m.before(a); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, taken := m.answers[a.Scope+"/"+a.Key]; taken {
		return payments.ErrKeyTaken
	}
	if m.answers == nil {
		m.answers = map[string]payments.Answer{}
	}
	m.answers[a.Scope+"/"+a.Key] = a
	if m.after != nil {
		return m.after()
	}
	return nil
}

func (m *memory) FindAnswer(_ context.Context, scope, key string) (payments.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.answers[scope+"/"+key]
	if !ok || a.ExpiresAt.Before(time.Now()) {
		return payments.Answer{}, payments.ErrNotFound
	}
	return a, nil
}

func (m *memory) ForgetExpired(_ context.Context, scope, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.answers[scope+"/"+key].ExpiresAt.Before(time.Now()) {
		delete(m.answers, scope+"/"+key)
	}
	return nil
}

// layer answers 200 with the body of the request, and errors as their text.
func layer(m *memory) *idempotency.Layer[string] {
	return &idempotency.Layer[string]{
		Prepare: func(r *http.Request) (idempotency.Prepared[string], error) {
			body, err := io.ReadAll(r.Body)
			return idempotency.Prepared[string]{Status: http.StatusOK, Body: body, Canonical: body}, err
		},
		Save: m.save, Answers: m, Now: time.Now,
		Scope: func(r *http.Request) string { return r.Header.Get("Account") },
		Fail: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusTeapot)
		},
	}
}

func post(h http.Handler, target, account, key, body string) *httptest.ResponseRecorder {
	return send(h, http.MethodPost, target, account, key, body)
}

func send(h http.Handler, method, target, account, key, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body)) //nolint:noctx // In memory.
	r.Header.Set("Account", account)
	r.Header.Set(idempotency.Header, key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestOnlyTheSameRequestIsReplayed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, method, target, body, want string }{
		{"the same", http.MethodPost, "/pay?a=1", "coffee", "replayed"},
		{"another method", http.MethodPut, "/pay?a=1", "coffee", "reused"},
		{"another path", http.MethodPost, "/buy?a=1", "coffee", "reused"},
		{"another query", http.MethodPost, "/pay?a=2", "coffee", "reused"},
		{"another body", http.MethodPost, "/pay?a=1", "coffees", "reused"},
		{"another split of the same letters", http.MethodPost, "/pay?a=1c", "offee", "reused"},
		{"another split of path and query", http.MethodPost, "/pay%3Fa=1", "coffee", "reused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := layer(&memory{})
			if first := post(h, "/pay?a=1", "ayse", "k", "coffee"); first.Code != http.StatusOK ||
				first.Header().Get(idempotency.ReplayedHeader) != "" {
				t.Fatalf("first: %d %v", first.Code, first.Header())
			}
			second := send(h, c.method, c.target, "ayse", "k", c.body)
			got := "reused"
			if second.Header().Get(idempotency.ReplayedHeader) == "true" && second.Body.String() == "coffee" {
				got = "replayed"
			} else if !strings.Contains(second.Body.String(), idempotency.ErrKeyReused.Error()) {
				t.Errorf("got %d %s", second.Code, second.Body)
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestAKeyBelongsToOneAccount(t *testing.T) {
	t.Parallel()
	h := layer(&memory{})
	for _, account := range []string{"ayse", "mert"} {
		w := post(h, "/pay", account, "k", "coffee of "+account)
		if w.Code != http.StatusOK || w.Header().Get(idempotency.ReplayedHeader) != "" ||
			w.Body.String() != "coffee of "+account {
			t.Errorf("%s: %d %s", account, w.Code, w.Body)
		}
	}
}

func TestAnUnknownCommitIsLookedUp(t *testing.T) {
	t.Parallel()
	unknown := func() error { return payments.ErrUnknown }
	t.Run("it was made", func(t *testing.T) {
		t.Parallel()
		w := post(layer(&memory{after: unknown}), "/pay", "ayse", "k", "coffee")
		if w.Code != http.StatusOK || w.Body.String() != "coffee" {
			t.Errorf("got %d %s, want the answer that was stored", w.Code, w.Body)
		}
	})
	t.Run("it was not made", func(t *testing.T) {
		t.Parallel()
		m := &memory{before: func(payments.Answer) error { return unknown() }}
		w := post(layer(m), "/pay", "ayse", "k", "coffee")
		if !strings.Contains(w.Body.String(), payments.ErrUnknown.Error()) {
			t.Errorf("got %d %s, want it unknown", w.Code, w.Body)
		}
	})
	t.Run("it was made anew under an old key", func(t *testing.T) {
		t.Parallel()
		m := &memory{after: unknown, answers: map[string]payments.Answer{
			"ayse/k": {Scope: "ayse", Key: "k", Body: []byte("old"), ExpiresAt: time.Now().Add(-time.Hour)},
		}}
		if w := post(layer(m), "/pay", "ayse", "k", "coffee"); w.Code != http.StatusOK || w.Body.String() != "coffee" {
			t.Errorf("got %d %s, want the answer that was stored", w.Code, w.Body)
		}
	})
}

func TestAnErrorOfTheWorkIsNotStored(t *testing.T) {
	t.Parallel()
	fails := true
	m := &memory{}
	m.before = func(payments.Answer) error {
		if fails {
			return payments.ErrUnavailable
		}
		return nil
	}
	h := layer(m)
	refused := post(h, "/pay", "ayse", "k", "coffee")
	if !strings.Contains(refused.Body.String(), payments.ErrUnavailable.Error()) {
		t.Errorf("got %d %s", refused.Code, refused.Body)
	}
	fails = false
	other := post(h, "/pay", "ayse", "k", "another coffee")
	if other.Code != http.StatusOK || other.Body.String() != "another coffee" {
		t.Errorf("after the error: %d %s, want the key to be free", other.Code, other.Body)
	}
}

// TestEightDuplicatesWait: the ninth is refused at once, so that one key cannot take every connection.
func TestEightDuplicatesWait(t *testing.T) {
	t.Parallel()
	inside, release := make(chan struct{}), make(chan struct{})
	m := &memory{before: func(payments.Answer) error {
		inside <- struct{}{}
		<-release
		return nil
	}}
	h := layer(m)
	answers := make(chan *httptest.ResponseRecorder, 9)
	for range 9 { // The first, and eight that wait for it.
		go func() { answers <- post(h, "/pay", "ayse", "k", "coffee") }()
		<-inside
	}
	ninth := make(chan *httptest.ResponseRecorder, 1)
	go func() { ninth <- post(h, "/pay", "ayse", "k", "coffee") }()
	select {
	case refused := <-ninth:
		if !strings.Contains(refused.Body.String(), payments.ErrKeyInProgress.Error()) {
			t.Errorf("the ninth duplicate: %d %s", refused.Code, refused.Body)
		}
	case <-inside:
		t.Error("the ninth duplicate waits too")
	}
	go func() { answers <- post(h, "/pay", "ayse", "another", "coffee") }()
	<-inside // Other keys go on all the same.
	close(release)
	for range 10 {
		if w := <-answers; w.Code != http.StatusOK {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	}
	m.before = nil
	if w := post(h, "/pay", "ayse", "k", "coffee"); w.Header().Get(idempotency.ReplayedHeader) != "true" {
		t.Errorf("after all of them: %d %s, want the places free again", w.Code, w.Body)
	}
}

func TestAWrongRequestNeverSaves(t *testing.T) {
	t.Parallel()
	m := &memory{before: func(payments.Answer) error { return errors.New("saved") }}
	h := layer(m)
	for _, key := range []string{"", `"`, "a b"} {
		if w := post(h, "/pay", "ayse", key, "coffee"); !strings.Contains(w.Body.String(), "Idempotency-Key") {
			t.Errorf("key %q: %d %s", key, w.Code, w.Body)
		}
	}
	h.Prepare = func(*http.Request) (idempotency.Prepared[string], error) {
		return idempotency.Prepared[string]{}, payments.InvalidField("sku", "wrong")
	}
	if w := post(h, "/pay", "ayse", "k", "coffee"); !strings.Contains(w.Body.String(), "sku: wrong") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}
