//go:build !linux

package stack_test

import "context"

// Only Linux has containers, and so a process 1 of ours.
func platformParts() map[string]func(context.Context) error { return nil }
