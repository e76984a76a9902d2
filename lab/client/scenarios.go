package client

import (
	"context"

	"example.com/doublecharge/lab/scenario"
)

// Scenarios reads what the lab can teach.
func (c *Client) Scenarios(ctx context.Context) (scenario.List, error) {
	var list scenario.List
	err := c.Get(ctx, "/lab/scenarios", &list)
	return list, err
}

// Play has the lab play its scenario of that name, and waits for the report. A report that was stopped is
// an error, and given too.
func (c *Client) Play(ctx context.Context, s scenario.Scenario) (scenario.Report, error) {
	path := "/lab/scenarios/" + s.Name + "/runs"
	var report scenario.Report
	if err := c.Post(ctx, path, nil, &report); err != nil {
		return report, err
	}
	err := c.await(ctx, path+"/"+report.ID, &report)
	return report, err
}
