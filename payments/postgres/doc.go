// Package postgres is the store on pgx, a file per table or pair of tables. What a SQLSTATE means is
// decided here, and callers see the errors of package payments.
package postgres
