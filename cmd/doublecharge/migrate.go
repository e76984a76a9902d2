package main

import (
	"context"
	"fmt"

	"example.com/doublecharge/migrations"
	"example.com/doublecharge/payments/postgres"
)

type migrateCommand struct {
	databaseFlags
}

// Run migrates.
func (c *migrateCommand) Run(ctx context.Context, a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	applied, err := postgres.Migrate(ctx, c.DatabaseURL, c.options("migrate"), migrations.Files)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "The schema is up to date: %d migrations applied.\n", applied)
	return nil
}
