package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/postgres"
	"example.com/doublecharge/payments/postgres/postgrestest"
)

func claim(t *testing.T, store *postgres.Store, limit int) *postgres.OutboxBatch {
	t.Helper()
	batch, err := store.ClaimOutbox(t.Context(), limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { batch.Release(context.WithoutCancel(t.Context())) })
	return batch
}

func messages(rows []payments.OutboxRow) []string {
	var list []string
	for _, row := range rows {
		list = append(list, row.Job.MessageID)
	}
	return list
}

func TestTheOutboxAsksForExactlyTheJobThatWasBought(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	answer, c := checkout()
	c.Order.Traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	if err := store.SaveCheckout(t.Context(), answer, c); err != nil {
		t.Fatal(err)
	}
	want := jobOf(c)
	want.Traceparent, want.Items = c.Order.Traceparent, c.Order.Items
	rows := claim(t, store, 10).Rows()
	if len(rows) != 1 {
		t.Fatalf("the outbox has %d rows", len(rows))
	}
	if diff := cmp.Diff(want, rows[0].Job); diff != "" {
		t.Error(diff)
	}
}

func TestTwoRelaysNeverShareARow(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	var ids []string
	for range 5 {
		ids = append(ids, bought(t, store).MessageID)
	}
	first, second, third := claim(t, store, 2), claim(t, store, 10), claim(t, store, 10)
	if diff := cmp.Diff(ids[:2], messages(first.Rows())); diff != "" {
		t.Errorf("the first has not the oldest two:\n%s", diff)
	}
	if diff := cmp.Diff(ids[2:], messages(second.Rows())); diff != "" {
		t.Errorf("the second has not all others:\n%s", diff)
	}
	if len(third.Rows()) != 0 {
		t.Errorf("the third has %v", messages(third.Rows()))
	}
	first.Release(t.Context())
	if diff := cmp.Diff(ids[:2], messages(claim(t, store, 10).Rows())); diff != "" {
		t.Errorf("what was released cannot be claimed:\n%s", diff)
	}
}

func TestAKilledRelayGivesItsRowsBack(t *testing.T) {
	t.Parallel()
	options := postgrestest.Options(t)
	store := postgrestest.OpenWith(t, options)
	job := bought(t, store)
	relay := startProcess(t, options.Schema, claimAndWait)
	if n := relay.says(t); n != 1 {
		t.Fatalf("it claimed %d rows", n)
	}
	if rows := claim(t, store, 10).Rows(); len(rows) != 0 {
		t.Fatalf("its rows are claimed by somebody else too: %v", messages(rows))
	}
	relay.kill(t)
	eventually(t, "its rows can be claimed", func(ctx context.Context) (bool, error) {
		batch, err := store.ClaimOutbox(ctx, 10)
		if err != nil {
			return false, err
		}
		defer batch.Release(ctx)
		return cmp.Equal([]string{job.MessageID}, messages(batch.Rows())), nil
	})
}

// TestALowerIDThatCommitsLateIsNotSkipped has an id handed out first and committed last.
func TestALowerIDThatCommitsLateIsNotSkipped(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	early, late := bought(t, store), bought(t, store)
	publish(t, store, nil)
	slow, err := store.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Rollback(t.Context()) }()
	if _, err := slow.Exec(t.Context(), `INSERT INTO outbox (message_id) VALUES ($1)`, early.MessageID); err != nil {
		t.Fatal(err)
	}
	if err := store.Redeliver(t.Context(), late.OrderID, "", 1); err != nil {
		t.Fatal(err)
	}
	higher := publish(t, store, nil)
	if diff := cmp.Diff([]string{late.MessageID}, messages(higher)); diff != "" {
		t.Fatal(diff)
	}
	if err := slow.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	lower := claim(t, store, 10).Rows()
	if diff := cmp.Diff([]string{early.MessageID}, messages(lower)); diff != "" {
		t.Fatalf("it was skipped:\n%s", diff)
	}
	if lower[0].ID > higher[0].ID {
		t.Errorf("row %d was to have a lower id than %d", lower[0].ID, higher[0].ID)
	}
}

func TestMarkSaysWhatWasSentAndWhatWentWrong(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	bought(t, store)
	bought(t, store)
	look := claim(t, store, 10)
	failed := look.Rows()[1].ID
	look.Release(t.Context())
	publish(t, store, map[int64]string{failed: "the broker said no"})
	publish(t, store, map[int64]string{failed: "the broker said no again"})
	type row struct {
		Sent     bool
		Attempts int
		Error    string
	}
	rows, err := store.Pool().Query(t.Context(),
		`SELECT sent_at IS NOT NULL, attempts, last_error FROM outbox ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if diff := cmp.Diff([]row{{true, 1, ""}, {false, 2, "the broker said no again"}}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestALetterIsHeldByOneMailerAtATime(t *testing.T) {
	t.Parallel()
	store := postgrestest.Open(t)
	job := bought(t, store)
	if err := postgres.NewLedger(store).Apply(t.Context(), job, charged); err != nil {
		t.Fatal(err)
	}
	held, err := store.ClaimMail(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.ClaimMail(t.Context()); !errors.Is(err, payments.ErrNotFound) {
		t.Errorf("a second mailer: %v", err)
	}
	held.Release(t.Context())
	again, err := store.ClaimMail(t.Context())
	if err != nil {
		t.Fatalf("what was released cannot be claimed: %v", err)
	}
	subject, kind := again.About()
	want := []string{job.OrderID, job.MessageID, job.Account, "receipt"}
	got := []string{subject.OrderID, subject.MessageID, subject.Account, kind}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := again.Mark(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := store.ClaimMail(t.Context()); !errors.Is(err, payments.ErrNotFound) {
		t.Errorf("after it was sent: %v", err)
	}
}
