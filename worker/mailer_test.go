package worker_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
	"example.com/doublecharge/worker"
)

// office is a post office and the letters that are owed.
type office struct {
	owed, held, marked int
	arrived            []string
	postErr            error
	tries              int
}

func (o *office) claim(context.Context) (worker.Letter, error) {
	if o.owed == 0 {
		return nil, payments.ErrNotFound
	}
	o.owed--
	o.held++
	return letter{o}, nil
}

func (o *office) post(_ context.Context, orderID, kind string) error {
	o.tries++
	if o.postErr == nil {
		o.arrived = append(o.arrived, orderID+" "+kind)
	}
	return o.postErr
}

type letter struct{ office *office }

func (letter) About() (step.Subject, string) {
	return step.Subject{OrderID: "o-1", MessageID: "m-1", Account: "ayse"}, "receipt"
}

func (l letter) Mark(context.Context) error {
	l.office.held--
	l.office.marked++
	return nil
}

func (l letter) Release(context.Context) {
	l.office.owed += l.office.held
	l.office.held = 0
}

func mail(t *testing.T, o *office, probe step.Probe) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	mailer := &worker.Mailer{Claim: o.claim, Post: o.post, Probe: probe, Log: quietly()}
	if err := mailer.Run(ctx); err != nil {
		t.Error(err)
	}
}

func TestEveryOwedLetterIsSentOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o, trace := &office{owed: 2}, &trace{}
		mail(t, o, step.Probe{Recorder: trace})
		if diff := cmp.Diff([]string{"o-1 receipt", "o-1 receipt"}, o.arrived); diff != "" || o.marked != 2 {
			t.Errorf("%d are marked, and arrived:\n%s", o.marked, diff)
		}
		want := []step.Name{step.MailClaimed, step.MailSent, step.MailMarked}
		if diff := cmp.Diff(append(want, want...), trace.names()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestALetterThatWasNotPostedIsStillOwed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &office{owed: 1, postErr: errors.New("closed")}
		mail(t, o, step.Probe{})
		if o.owed != 1 || o.marked != 0 || o.tries < 2 || o.tries > 11 {
			t.Errorf("it was tried %d times in a second, %d are owed and %d are marked", o.tries, o.owed, o.marked)
		}
	})
}

// TestAMailerThatFailsBetweenSendingAndMarkingSendsAgain: the post office takes no keys.
func TestAMailerThatFailsBetweenSendingAndMarkingSendsAgain(t *testing.T) {
	t.Parallel()
	for at, sendsAgain := range map[step.Name]bool{
		step.MailClaimed: false, step.MailSent: true, step.MailMarked: false,
	} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o, trace := &office{owed: 1}, &trace{breaks: at}
				mail(t, o, step.Probe{Recorder: trace})
				if (len(o.arrived) > 1) != sendsAgain {
					t.Errorf("%d letters arrived", len(o.arrived))
				}
				if at == step.MailMarked && o.marked != 1 {
					t.Errorf("%d are marked", o.marked)
				}
			})
		})
	}
}

// TestAMailerEndsWithItsContext however many letters are owed.
func TestAMailerEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o := &office{owed: 1_000_000_000}
	mailer := &worker.Mailer{Claim: o.claim, Log: quietly(), Post: func(ctx context.Context, id, kind string) error {
		if o.tries == 2 {
			stop()
		}
		return o.post(ctx, id, kind)
	}}
	ended := make(chan error, 1)
	go func() { ended <- mailer.Run(ctx) }()
	if err := receive(t, "the mailer ends", ended); err != nil || o.tries != 3 {
		t.Errorf("after %d letters it ends with %v", o.tries, err)
	}
}

func TestAMailerLooksAsOftenAsItIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		looks := 0
		claim := func(context.Context) (worker.Letter, error) {
			looks++
			return nil, payments.ErrNotFound
		}
		mailer := &worker.Mailer{Poll: 10 * time.Millisecond, Log: quietly(), Claim: claim}
		if err := mailer.Run(ctx); err != nil || looks < 95 || looks > 101 {
			t.Errorf("it looked %d times in a second, and ended with %v", looks, err)
		}
	})
}
