package seenset_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"example.com/doublecharge/lab/stack/stacktest"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/worker/seenset"
)

// nowhere is an address at which nobody answers.
const nowhere = "redis://127.0.0.1:1/0"

// newRedis gives a set of its own on the real server.
func newRedis(t *testing.T) *seenset.Redis {
	t.Helper()
	return redisAt(t, stacktest.Servers(t).RedisURL)
}

func redisAt(t *testing.T, url string) *seenset.Redis {
	t.Helper()
	return redisWith(t, url, uuid.NewString()+":", seenset.KeptFor)
}

func redisWith(t *testing.T, url, prefix string, ttl time.Duration) *seenset.Redis {
	t.Helper()
	set, err := seenset.NewRedis(url, prefix, ttl)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

// TestRedisForgetsAfterItsTime, which is what the lab shows with it.
func TestRedisForgetsAfterItsTime(t *testing.T) {
	t.Parallel()
	set := redisWith(t, stacktest.Servers(t).RedisURL, uuid.NewString()+":", 30*time.Millisecond)
	if err := set.Mark(t.Context(), "m-1"); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for tries := 0; ; tries++ {
		seen, err := set.Seen(t.Context(), "m-1")
		if err != nil || tries > 1000 {
			t.Fatalf("after its time it is %t, %v", seen, err)
		}
		if !seen {
			break
		}
		<-tick.C
	}
	if err := set.Mark(t.Context(), "m-1"); err != nil {
		t.Errorf("what is forgotten cannot be marked: %v", err)
	}
}

// TestAFlushForgetsNobodyElsesKeys, whatever the prefix would mean as a pattern.
func TestAFlushForgetsNobodyElsesKeys(t *testing.T) {
	t.Parallel()
	url, id := stacktest.Servers(t).RedisURL, uuid.NewString()
	for name, prefixes := range map[string][2]string{
		"ordinary":        {id + "-a:", id + "-b:"},
		"a star":          {id + "-*:", id + "-star:"},
		"a mark":          {id + "-?:", id + "-!:"},
		"a class":         {id + "-[xy]:", id + "-x:"},
		"a backslash":     {id + `-\z:`, id + "-z:"},
		"begins the same": {id + "-1:", id + "-12:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours := redisWith(t, url, prefixes[0], seenset.KeptFor)
			theirs := redisWith(t, url, prefixes[1], seenset.KeptFor)
			for _, set := range []*seenset.Redis{ours, theirs} {
				if err := set.Mark(t.Context(), "m-1"); err != nil {
					t.Fatal(err)
				}
			}
			if err := ours.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantSeen(t, ours, "m-1", false)
			wantSeen(t, theirs, "m-1", true)
		})
	}
}

// TestARedisThatIsAwayIsTriedOnce: the waits between tries would be on the bubble's clock, which stands
// still while a call is under way.
func TestARedisThatIsAwayIsTriedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set := redisAt(t, nowhere)
		begun := time.Now()
		if _, err := set.Seen(t.Context(), "m-1"); !errors.Is(err, payments.ErrUnavailable) {
			t.Errorf("seen says %v", err)
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("it waited %s to try again", took)
		}
	})
}

func TestWithoutRedisNothingIsNotSeen(t *testing.T) {
	t.Parallel()
	set := redisAt(t, "")
	_, seen := set.Seen(t.Context(), "m-1")
	for what, err := range map[string]error{
		"seen": seen, "mark": set.Mark(t.Context(), "m-1"), "flush": set.Flush(t.Context()),
	} {
		if !errors.Is(err, payments.ErrUnavailable) {
			t.Errorf("%s says %v", what, err)
		}
	}
	if _, err := seenset.NewRedis("secret:word@nowhere", "", time.Hour); err == nil {
		t.Error("an address that is none is taken")
	}
}
