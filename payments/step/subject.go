package step

import "context"

// Subject says whose payment the steps of a context belong to. It travels in the context, so that
// every layer down to the bank's transport can observe without being told.
type Subject struct {
	OrderID   string
	MessageID string
	Account   string
	Delivery  int
}

type subjectKey struct{}

// About puts the subject into a context.
func About(ctx context.Context, s Subject) context.Context {
	return context.WithValue(ctx, subjectKey{}, s)
}

// SubjectOf is the subject of a context, or an empty one.
func SubjectOf(ctx context.Context) Subject {
	s, _ := ctx.Value(subjectKey{}).(Subject)
	return s
}
