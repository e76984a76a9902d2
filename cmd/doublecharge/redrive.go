package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"example.com/doublecharge/lab/client"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

type redriveCommand struct {
	DryRun bool   `help:"Only tell what would become of each."`
	LabURL string `name:"lab" env:"LAB_URL" default:"http://127.0.0.1:4242" placeholder:"URL" help:"The running lab."`
	toldFlags
}

// Run has the lab send its dead letters back. That some are held or refused is no failure: the table says why.
func (c *redriveCommand) Run(ctx context.Context, a *app) error {
	remote := client.New(c.LabURL)
	defer remote.Close()
	letters, err := remote.Redrive(ctx, c.DryRun)
	if err != nil {
		return err
	}
	return c.write(a.stdout, map[string]any{"letters": letters, "dry_run": c.DryRun}, func() error {
		return writeRedriven(a.stdout, letters, c.DryRun, c.Lang)
	})
}

// writeRedriven writes one line for each message, and how many go back.
func writeRedriven(out io.Writer, letters []payments.Redriven, dry bool, language string) error {
	if len(letters) == 0 {
		none := step.Text{EN: "No dead letter waits.", TR: "Bekleyen dead letter yok."}
		_, err := fmt.Fprintln(out, none.In(language))
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, step.Text{
		EN: "message id\tsince\tlast error\toutcome", TR: "mesaj id\tne zamandan beri\tson hata\tsonuç",
	}.In(language))
	sent := 0
	for _, letter := range letters {
		if letter.Outcome == payments.RedriveSent {
			sent++
		}
		fmt.Fprintf(table, "%s\t%s\t%.60s\t%s\n", letter.MessageID, letter.At.UTC().Format(time.RFC3339),
			letter.LastError, outcomeText(letter.Outcome, dry).In(language))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	total := step.Text{EN: "%d of %d sent back.", TR: "%d / %d mesaj geri gönderildi."}
	if dry {
		total = step.Text{EN: "%d of %d would be sent back.", TR: "%d / %d mesaj geri gönderilirdi."}
	}
	_, err := fmt.Fprintf(out, "\n"+total.In(language)+"\n", sent, len(letters))
	return err
}

// outcomeText says what became of a message, and what is to be done.
func outcomeText(outcome payments.RedriveOutcome, dry bool) step.Text {
	switch {
	case outcome == payments.RedriveSent && dry:
		return step.Text{EN: "goes back, same id", TR: "aynı id ile geri gider"}
	case outcome == payments.RedriveSent:
		return step.Text{EN: "sent back, same id", TR: "aynı id ile geri gönderildi"}
	case outcome == payments.RedriveSettled:
		return step.Text{EN: "refused: the payment is settled", TR: "reddedildi: ödeme sonuçlanmış"}
	case outcome == payments.RedriveTooOld:
		return step.Text{
			EN: "held: the bank may have forgotten the key, look the payment up there",
			TR: "bekletildi: banka anahtarı unutmuş olabilir, ödemeyi bankada arayın",
		}
	case outcome == payments.RedriveUnderWay:
		return step.Text{EN: "refused: on its way already", TR: "reddedildi: zaten yolda"}
	default:
		return step.Text{EN: "refused: it names no payment of ours", TR: "reddedildi: bizim bir ödememizi göstermiyor"}
	}
}
