package matrix

import (
	"slices"
	"time"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/catalogue"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// Cell is one strategy in one column, and what became of it.
type Cell struct {
	Strategy string      `json:"strategy"`
	Fault    string      `json:"fault"`
	Action   step.Action `json:"action,omitempty"`
	State    string      `json:"state"` // run or not-applicable
	Run      string      `json:"run,omitempty"`
	// Fired is how often the column's fault struck. A cell in which it did not is an error.
	Fired      int                  `json:"fired"`
	Expected   payments.VerdictName `json:"expected,omitempty"`
	Verdict    payments.VerdictName `json:"verdict,omitempty"`
	Wrong      []string             `json:"wrong"`
	MustBe     []string             `json:"expected_wrong"`
	Charges    int                  `json:"charges"`
	Points     int64                `json:"points"`
	Receipts   int64                `json:"receipts"`
	Deliveries int                  `json:"deliveries"`
	OK         bool                 `json:"ok"`
	Millis     int64                `json:"millis"`
	Reason     *catalogue.Text      `json:"reason,omitempty"`
	Error      string               `json:"error,omitempty"`

	spec  step.RunSpec
	point step.Name
	trace lab.Run
}

// The states of a cell.
const (
	Ran           = "run"
	Together      = "together" // to run last, with all strategies at once; then it is Ran
	NotApplicable = "not-applicable"
)

// conclude reads a run's end into the cell.
func (c *Cell) conclude(run lab.Run, took time.Duration, err error) {
	c.State, c.Run, c.trace, c.Millis = Ran, run.ID, run, took.Milliseconds()
	c.Verdict, c.Wrong = run.Verdict, run.Wrong
	for _, v := range run.Verdicts {
		c.Charges += v.Charges
		c.Points += v.Effects.Points.Got
		c.Receipts += v.Effects.Receipt.Got
		c.Deliveries += v.Deliveries
	}
	for _, event := range run.Events {
		if event.Step == step.FaultFired && event.Detail.Point == string(c.point) {
			c.Fired++
		}
	}
	switch {
	case err != nil:
		c.Error = err.Error()
	case c.Fired == 0:
		c.Error = "the fault did not strike"
	}
	c.OK = c.Error == "" && c.Verdict == c.Expected && slices.Equal(c.Wrong, c.MustBe)
}

// Red says whether something is wrong with the payment, expected or not.
func (c *Cell) Red() bool {
	return c.State == Ran && (c.Verdict != payments.ChargedOnce || len(c.Wrong) > 0)
}
