package strategytest

import (
	"context"

	"example.com/doublecharge/payments"
)

// seenSet is the table with a unique constraint.
type seenSet struct{ w *World }

func (s seenSet) Seen(_ context.Context, key payments.Key) (bool, error) {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	return s.w.marks[key], nil
}

func (s seenSet) Mark(_ context.Context, key payments.Key) error {
	s.w.mu.Lock()
	err := s.w.mark(key)
	s.w.mu.Unlock()
	s.w.did(Mark)
	return err
}

func (w *World) mark(key payments.Key) error {
	if w.marks[key] {
		return payments.ErrAlreadyDone
	}
	w.marks[key] = true
	return nil
}

// unguarded is the table without one.
type unguarded struct{ w *World }

func (u unguarded) Seen(_ context.Context, key payments.Key) (bool, error) {
	u.w.mu.Lock()
	defer u.w.mu.Unlock()
	return u.w.rows[key] > 0, nil
}

func (u unguarded) Mark(_ context.Context, key payments.Key) error {
	u.w.mu.Lock()
	u.w.rows[key]++
	u.w.mu.Unlock()
	u.w.did(Mark)
	return nil
}

// redisSet is Redis, and a process that can die after a mark.
type redisSet struct{ w *World }

func (r redisSet) Seen(ctx context.Context, key payments.Key) (bool, error) {
	return r.w.Redis.Seen(ctx, key)
}

func (r redisSet) Mark(ctx context.Context, key payments.Key) error {
	err := r.w.Redis.Mark(ctx, key)
	r.w.did(Mark)
	return err
}
