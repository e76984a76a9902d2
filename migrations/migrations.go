// Package migrations holds the schema as numbered SQL, embedded. A numbered file never changes once it
// is released; the next change is the next number.
package migrations

import "embed"

// Files are the migrations in the layout that goose reads.
//
//go:embed *.sql
var Files embed.FS
