package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"example.com/doublecharge/payments"
)

// selectOrders reads orders with their attempts and the receipts that arrived, in one statement.
const selectOrders = `SELECT o.id, o.account, o.status, o.amount, o.currency, o.items, o.points, o.created_at,
	o.traceparent,
	(SELECT count(*) FROM mailbox m WHERE m.order_id = o.id AND m.kind = 'receipt') AS receipts,
	(SELECT coalesce(jsonb_agg(jsonb_build_object('message_id', a.message_id, 'payment_method', a.payment_method,
		'status', a.status, 'charge_id', a.charge_id) ORDER BY a.created_at, a.message_id), '[]')
	 FROM attempts a WHERE a.order_id = o.id) AS attempts
	FROM orders o `

func scanOrder(row pgx.CollectableRow) (payments.Order, error) {
	var o payments.Order
	err := row.Scan(&o.ID, &o.Account, &o.Status, &o.Amount, &o.Currency, &o.Items, &o.Points, &o.CreatedAt,
		&o.Traceparent, &o.Receipts, &o.Attempts)
	o.CreatedAt = o.CreatedAt.UTC()
	return o, err
}

// Order reads one order; an account's only, unless the account is "".
func (s *Store) Order(ctx context.Context, id, account string) (payments.Order, error) {
	rows, err := s.pool.Query(ctx, selectOrders+`WHERE o.id = $1 AND $2 IN ('', o.account)`, id, account)
	if err != nil {
		return payments.Order{}, translate(err)
	}
	order, err := pgx.CollectExactlyOneRow(rows, scanOrder)
	return order, translate(err)
}

// Orders lists an account's orders, newest first, those after the given id only.
func (s *Store) Orders(ctx context.Context, account, after string, limit int) ([]payments.Order, error) {
	rows, err := s.pool.Query(ctx, selectOrders+`WHERE o.account = $1 AND ($2 = '' OR o.id < nullif($2, '')::uuid)
		ORDER BY o.id DESC LIMIT $3`, account, after, limit)
	if err != nil {
		return nil, translate(err)
	}
	orders, err := pgx.CollectRows(rows, scanOrder)
	return orders, translate(err)
}

// Ledger is our own books, oldest order first, of one account or, for "", of all.
func (s *Store) Ledger(ctx context.Context, account string) ([]payments.LedgerLine, error) {
	rows, err := s.pool.Query(ctx, `SELECT o.id, o.status, o.amount, o.currency,
		coalesce((SELECT charge_id FROM attempts a WHERE a.order_id = o.id AND a.status = 'paid'), '') AS charge_id,
		o.points, (SELECT count(*) FROM mailbox m WHERE m.order_id = o.id AND m.kind = 'receipt') AS receipts
		FROM orders o WHERE $1 IN ('', o.account) ORDER BY o.id`, account)
	if err != nil {
		return nil, translate(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payments.LedgerLine])
	return lines, translate(err)
}
