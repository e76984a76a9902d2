package postgres

import (
	"context"
	"log/slog"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
)

// wakeChannel is the notification channel of the outbox. Channels belong to the database, so the
// schema is part of the name.
func wakeChannel(schema string) string {
	return pgx.Identifier{"outbox of " + schema}.Sanitize()
}

// Waker tells the relay that something was committed. Many calls while one notification is on its
// way become one: the notification stands outside the checkout's transaction, where it would cost
// three quarters of the rate (measured), and may be lost, because the relay's poll is the truth.
type Waker struct {
	url     string
	options Options
	wake    chan struct{}
	log     *slog.Logger
}

// NewWaker makes a waker. It does nothing until it runs.
func NewWaker(url string, o Options, log *slog.Logger) *Waker {
	return &Waker{url, o, make(chan struct{}, 1), log}
}

// Wake asks for a notification. It never blocks.
func (w *Waker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default: // One is on its way.
	}
}

// Run sends notifications, on a connection of its own, until the context ends.
func (w *Waker) Run(ctx context.Context) {
	reconnecting(ctx, w.url, w.options, w.log, func(conn *pgx.Conn) error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-w.wake:
			}
			if _, err := conn.Exec(ctx, "NOTIFY "+wakeChannel(w.options.Schema)); err != nil {
				return err
			}
		}
	})
}

// Wakes gives the notifications to the relay, until the context ends.
func Wakes(ctx context.Context, url string, o Options, log *slog.Logger) <-chan struct{} {
	wakes := make(chan struct{}, 1)
	go reconnecting(ctx, url, o, log, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "LISTEN "+wakeChannel(o.Schema)); err != nil {
			return err
		}
		for {
			if _, err := conn.WaitForNotification(ctx); err != nil {
				return err
			}
			select {
			case wakes <- struct{}{}:
			default: // The relay has not taken the last one yet.
			}
		}
	})
	return wakes
}

// reconnecting runs use on a connection, and again on a new one when it fails, until the context ends.
func reconnecting(ctx context.Context, url string, o Options, log *slog.Logger, use func(*pgx.Conn) error) {
	for ctx.Err() == nil {
		conn, err := backoff.Retry(ctx, func() (*pgx.Conn, error) { return connect(ctx, url, o) }, patiently()...)
		if err != nil {
			return
		}
		if err := use(conn); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "notifications are interrupted", "error", err)
		}
		_ = conn.Close(context.WithoutCancel(ctx))
	}
}
