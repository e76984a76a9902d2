package walk

import (
	"context"
	"fmt"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/tell"
	"example.com/doublecharge/payments"
	"example.com/doublecharge/payments/step"
)

// wait bounds how long a fault keeps a process, in milliseconds.
const wait = 2000

// scene is one experiment, told. Its words are "scene." and the id, and its sentence of why is the key why.
type scene struct {
	id, why string
	spec    step.RunSpec
}

// scenes are the five in their order; the sixth is the learner's.
func scenes() []scene {
	return []scene{
		{"naive", "why.1", crashOf("naive", step.WorkerCharged)},
		{"ack-first", "why.none", crashOf("ack-first", step.WorkerAcked)},
		{"seen-set", "why.2", crashOf("seen-set", step.WorkerCharged)},
		{"key-forgotten", "why.forgotten", forgotten()},
		{"seen-set-and-key", "why.3", crashOf("seen-set-and-key", step.WorkerCharged)},
	}
}

// specOf is a run with one worker, so that the one that was killed is the one that comes back.
func specOf(strategy string, faults ...step.Fault) step.RunSpec {
	workers := 1
	return step.RunSpec{Strategy: strategy, Faults: faults, Orders: 1, Settings: step.Change{Workers: &workers}}
}

// crashOf is a run in which the process that comes to the step first is killed there.
func crashOf(strategy string, at step.Name) step.RunSpec {
	return specOf(strategy, step.Fault{Point: at, Action: step.Crash, Times: 1, DurationMS: wait})
}

// forgotten loses the bank's answer, and lets a day go by before the second delivery goes on: the column
// key-forgotten of the matrix.
func forgotten() step.RunSpec {
	spec := specOf("key-only",
		step.Fault{Point: step.StripeResponseLost, Times: 1, DurationMS: wait},
		step.Fault{Point: step.WorkerReceived, Action: step.Hold, Times: 1, Delivery: 2, DurationMS: 10 * wait})
	spec.Then = []step.Reaction{
		{On: step.StepWaiting, Do: step.DoClock, With: step.ReactionWith{Advance: "25h"}},
		{On: step.StepWaiting, Do: step.DoStep},
	}
	return spec
}

// scene tells one scene, and gives the key with which the learner left it.
func (w *Walk) scene(ctx context.Context, number int, s scene) (Key, error) {
	w.head(number, w.Words.T("scene."+s.id+".title"))
	w.text("scene."+s.id+".text", 0)
	w.line("")
	w.text("scene."+s.id+".setup", 2)
	for {
		mine, key, err := w.guess(ctx)
		if err != nil || key != Next {
			return key, err
		}
		run, err := w.play(ctx, s.spec)
		if err != nil {
			return Quit, err
		}
		w.verdict(run, mine, w.Words.T(s.why))
		key, err = w.ask(ctx, w.offer("next", "again", "back"), Next, again, Back)
		if err != nil || key != again {
			return key, err
		}
	}
}

// verdict tells how a run ended: by the bank, in both books, and why.
func (w *Walk) verdict(run lab.Run, mine int, why string) {
	amount := payments.Money{}
	for _, line := range run.Statement.Ledger.Lines {
		amount = payments.Money{Minor: line.Amount, Currency: line.Currency}
	}
	for _, v := range run.Verdicts {
		w.line("")
		w.lines(tell.Verdict(w.Words, w.Paint, v, amount))
		w.line("")
		w.lines(tell.Books(w.Words, w.Paint, run.Statement))
		w.line("")
		w.lines(tell.Wrap(fmt.Sprintf("%s: %s", w.Words.T("walk.why"), why), 0))
		switch {
		case mine < 0:
		case mine == v.Charges:
			w.say("predict.right", tell.Good, tell.Args{"n": mine})
		default:
			w.say("predict.answer", tell.Plain, tell.Args{"n": mine, "m": v.Charges})
		}
	}
}
