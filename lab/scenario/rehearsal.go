package scenario

import (
	"context"
	"time"
)

// Player plays whole scenarios: a lab that is running somewhere, or one of this process's own.
type Player interface {
	Play(ctx context.Context, s Scenario) (Report, error)
}

// Rehearsal is a plan that was played from its beginning to its end.
type Rehearsal struct {
	Plan string `json:"plan"`
	// Lab is the address of the lab whose page has the recordings; "" is none.
	Lab    string      `json:"lab"`
	Steps  []Rehearsed `json:"steps"`
	OK     bool        `json:"ok"`
	Millis int64       `json:"millis"`
}

// Rehearsed is one step of it.
type Rehearsed struct {
	Place
	Report

	scenario Scenario
}

// Rehearse plays the scenarios of a plan one after another, also after one that differs or could not be
// played. Before hears of each that begins.
func Rehearse(
	ctx context.Context, plan string, steps []Scenario, player Player, before func(done int, s Scenario),
) (Rehearsal, error) {
	begun := time.Now()
	rehearsal := Rehearsal{Plan: plan, OK: true}
	for i, s := range steps {
		before(i, s)
		report, err := player.Play(ctx, s)
		if ctx.Err() != nil {
			return rehearsal, context.Cause(ctx)
		}
		if err != nil {
			report.Scenario, report.OK, report.Error = s.Name, false, err.Error()
		}
		rehearsal.Steps = append(rehearsal.Steps, Rehearsed{s.Plan[plan], report, s})
		rehearsal.OK = rehearsal.OK && report.OK
	}
	rehearsal.Millis = time.Since(begun).Milliseconds()
	return rehearsal, nil
}
