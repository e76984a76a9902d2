package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"example.com/doublecharge/lab/client"
	"example.com/doublecharge/lab/runner"
	"example.com/doublecharge/lab/scenario"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// labFlag says which lab does the work.
type labFlag struct {
	LabURL string `name:"lab" env:"LAB_URL" default:"http://127.0.0.1:4242" placeholder:"URL" help:"${lab_help}"`
}

// player plays scenarios somewhere.
type player interface {
	scenario.Player
	// address is the lab whose page shows what was played; "" is none.
	address() string
	Close(ctx context.Context) error
}

// open takes the lab that answers, so that its page has the recordings. Where none does, it opens a
// laboratory that lasts as long as the command. It says in one line which it is.
func (f labFlag) open(ctx context.Context, a *app, language string) (player, error) {
	if f.LabURL != "" {
		remote := client.New(f.LabURL)
		short, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		_, err := remote.State(short)
		if err == nil {
			fmt.Fprintln(a.stderr, thatLab().In(language), f.LabURL)
			return remotePlayer{remote}, nil
		}
		remote.Close()
		if isBooting(err) {
			return nil, fmt.Errorf("the lab at %s is not ready yet: %w", f.LabURL, err)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	fmt.Fprintln(a.stderr, ownLab().In(language))
	laboratory, err := a.openLaboratory(ctx)
	if err != nil {
		return nil, err
	}
	return &ownPlayer{laboratory, runner.Stage{Lanes: laboratory.lanes(), Commit: version()}}, nil
}

// isBooting says that a lab answered, and that it cannot work yet.
func isBooting(err error) bool {
	_, answered := errors.AsType[*client.ProblemError](err)
	return answered && errors.Is(err, payments.ErrUnavailable)
}

func thatLab() step.Text {
	return step.Text{
		EN: "Playing in the lab that runs here, whose page will have the recordings:",
		TR: "Çalışan lab'de oynatılıyor, kayıtlar onun sayfasında olacak:",
	}
}

func ownLab() step.Text {
	return step.Text{
		EN: "No lab is running: this command opens one of its own, which ends with it.",
		TR: "Çalışan bir lab yok: bu komut kendi lab'ini açıyor, lab komutla birlikte kapanır.",
	}
}

// remotePlayer has a running lab play.
type remotePlayer struct{ *client.Client }

func (p remotePlayer) address() string { return p.Base() }

// Close leaves the lab as it is.
func (p remotePlayer) Close(context.Context) error {
	p.Client.Close()
	return nil
}

// ownPlayer plays in lanes of this process.
type ownPlayer struct {
	laboratory *laboratory
	stage      runner.Stage
}

// Play plays one scenario.
func (p *ownPlayer) Play(ctx context.Context, s scenario.Scenario) (scenario.Report, error) {
	report := s.Begin(uuid.Must(uuid.NewV7()).String(), version())
	return s.Play(ctx, &p.stage, report, func(scenario.Report) {})
}

func (p *ownPlayer) address() string { return "" }

// Close ends the lane, then what it ran on.
func (p *ownPlayer) Close(ctx context.Context) error {
	return errors.Join(p.stage.Close(ctx), p.laboratory.Close(ctx))
}
