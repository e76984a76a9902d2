package seenset

import (
	"context"
	"sync"

	"example.com/doublecharge/payments"
)

// Memory keeps the set in this process, and dies with it. It is for tests and for trying things out.
type Memory struct {
	mu    sync.Mutex
	marks map[payments.Key]bool
}

// NewMemory makes an empty set.
func NewMemory() *Memory { return &Memory{marks: map[payments.Key]bool{}} }

// Seen says whether the key was marked.
func (m *Memory) Seen(ctx context.Context, key payments.Key) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.marks[key], ctx.Err()
}

// Mark says that the key is done. A key that is marked already gives [payments.ErrAlreadyDone].
func (m *Memory) Mark(ctx context.Context, key payments.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.marks[key] {
		return payments.ErrAlreadyDone
	}
	m.marks[key] = true
	return nil
}

// Flush forgets everything, as a restart does.
func (m *Memory) Flush(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.marks = map[payments.Key]bool{}
	return nil
}
