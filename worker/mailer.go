package worker

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// Letter is a claimed letter that is to be sent. It is held until it is marked or released.
type Letter interface {
	About() (about step.Subject, kind string)
	Mark(ctx context.Context) error
	Release(ctx context.Context)
}

// Mailer sends owed letters, at least once: the post office takes no idempotency key, so a crash
// between sending and marking sends the letter again. It is honest about that.
type Mailer struct {
	// Claim takes a letter that waits; [payments.ErrNotFound] when none does.
	Claim func(ctx context.Context) (Letter, error)
	// Post is the post office.
	Post  func(ctx context.Context, orderID, kind string) error
	Probe step.Probe
	// Poll is how often it looks. Defaults to 100 ms.
	Poll time.Duration
	Log  *slog.Logger
}

// Run sends until the context ends.
func (m *Mailer) Run(ctx context.Context) error {
	tick := time.NewTicker(cmp.Or(m.Poll, 100*time.Millisecond))
	defer tick.Stop()
	for ctx.Err() == nil {
		err := m.one(ctx)
		if err == nil {
			continue // There may be more.
		}
		if !errors.Is(err, payments.ErrNotFound) && ctx.Err() == nil {
			m.Log.WarnContext(ctx, "a letter was not sent", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// one claims, sends and marks one letter.
func (m *Mailer) one(ctx context.Context) error {
	letter, err := m.Claim(ctx)
	if err != nil {
		return err
	}
	// A stop lets the post office and the mark finish: sent and not marked, a letter is sent again.
	finishing := context.WithoutCancel(ctx)
	defer letter.Release(finishing)
	about, kind := letter.About()
	ctx = step.About(ctx, about)
	if err := m.Probe.Reach(ctx, step.MailClaimed); err != nil {
		return err
	}
	if err := m.Post(finishing, about.OrderID, kind); err != nil {
		return err
	}
	if err := m.Probe.Reach(ctx, step.MailSent); err != nil {
		return err
	}
	if err := letter.Mark(finishing); err != nil {
		return err
	}
	if err := m.Probe.Reach(ctx, step.MailMarked); err != nil {
		m.Log.WarnContext(ctx, "marked, and then", "error", err) // It is sent and marked: nothing to repeat.
	}
	m.Log.InfoContext(ctx, "sent", "kind", kind, "order_id", about.OrderID, "message_id", about.MessageID)
	return nil
}
