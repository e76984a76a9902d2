package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/payments"
)

type scenarioCommand struct {
	List     listCommand     `cmd:"" help:"List the scenarios and their questions."`
	Run      playCommand     `cmd:"" help:"Run one scenario and check its answer."`
	Rehearse rehearseCommand `cmd:"" help:"Run every step of a plan, so that nothing surprises the teacher."`
}

// toldFlags say how a result is told.
type toldFlags struct {
	Lang   string `enum:"en,tr" default:"en" help:"en or tr."`
	Format string `enum:"text,json" default:"text" help:"text or json."`
}

// write writes the result as JSON, or as the text that is made of it.
func (f toldFlags) write(out io.Writer, result any, asText func() error) error {
	if f.Format == "text" {
		return asText()
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}

type listCommand struct{ toldFlags }

// Run lists.
func (c *listCommand) Run(a *app) error {
	list, err := scenario.Everything()
	if err != nil {
		return err
	}
	return c.write(a.stdout, list, func() error { return scenario.WriteList(a.stdout, list.Scenarios, c.Lang) })
}

type playCommand struct {
	Name string `arg:"" help:"A scenario, by its name in the list."`
	labFlag
	toldFlags
}

// Validate wants a name that there is.
func (c *playCommand) Validate() error {
	_, err := scenario.Named(c.Name)
	return asUsage(err)
}

// Run exits with 0 when everything was as expected.
func (c *playCommand) Run(ctx context.Context, a *app) (err error) {
	s, err := scenario.Named(c.Name)
	if err != nil {
		return err
	}
	player, err := c.open(ctx, a, c.Lang)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, player.Close(ctx)) }()
	report, err := player.Play(ctx, s)
	if err != nil {
		return err
	}
	err = c.write(a.stdout, report, func() error { return scenario.WriteReport(a.stdout, s, report, c.Lang) })
	return orFound(err, report.OK)
}

type rehearseCommand struct {
	Plan  string `default:"45" help:"The lesson of 45 minutes."`
	Short bool   `help:"Only the steps that are left when 20 minutes are lost."`
	labFlag
	toldFlags
}

// Validate wants a plan that there is.
func (c *rehearseCommand) Validate() error {
	_, err := scenario.Plan(c.Plan)
	return asUsage(err)
}

// Run exits with 0 when every step was as expected.
func (c *rehearseCommand) Run(ctx context.Context, a *app) (err error) {
	steps, err := scenario.Plan(c.Plan)
	if err != nil {
		return err
	}
	if c.Short {
		steps = scenario.Short(steps, c.Plan)
	}
	player, err := c.open(ctx, a, c.Lang)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, player.Close(ctx)) }()
	return c.rehearse(ctx, a, steps, player)
}

func (c *rehearseCommand) rehearse(ctx context.Context, a *app, steps []scenario.Scenario, player player) error {
	rehearsal, err := scenario.Rehearse(ctx, c.Plan, steps, player, func(done int, s scenario.Scenario) {
		a.progress("%d/%d  %s", done+1, len(steps), s.Name)
	})
	a.endProgress()
	if err != nil {
		return err
	}
	rehearsal.Lab = player.address()
	err = c.write(a.stdout, rehearsal, func() error { return scenario.WriteTable(a.stdout, rehearsal, c.Lang) })
	return orFound(err, rehearsal.OK)
}

// orFound is the end of a check that was told: its exit code says whether something differs.
func orFound(err error, ok bool) error {
	if err == nil && !ok {
		return statusError(exitFound)
	}
	return err
}

// asUsage says what is wrong without the kind of error before it: the parser is talking to a person.
func asUsage(err error) error {
	if errors.Is(err, payments.ErrNotFound) {
		return errors.New(strings.TrimPrefix(err.Error(), payments.ErrNotFound.Error()+": "))
	}
	return err
}

// lessons shows all that can be taught, and beginScenario how the playing of a scenario begins.
func lessons() (any, error) { return scenario.Everything() }

func beginScenario(name, id, commit string) (any, error) {
	s, err := scenario.Named(name)
	if err != nil {
		return nil, err
	}
	return s.Begin(id, commit), nil
}
