package main

import (
	"context"

	"example.com/doublecharge/lab/explore"
)

func (c *exploreCommand) replay(context.Context, *app, explore.Report) (bool, error) {
	return false, missingError("not yet")
}
