package walk

import (
	"context"
	"fmt"

	"example.com/doublecharge/lab"
	"example.com/doublecharge/lab/tell"
	"example.com/doublecharge/payments/step"
)

// nowhere is the choice that nothing is broken.
const nowhere step.Name = ""

// free is the scene in which the learner chooses what to break, as often as wanted.
func (w *Walk) free(ctx context.Context, number int) (Key, error) {
	w.head(number, w.Words.T("scene.free.title"))
	w.text("scene.free.text", 0)
	if w.Keys == nil {
		w.line("")
		w.text("walk.nobody", 0)
		return Quit, nil
	}
	var list struct{ Strategies []step.StrategyInfo }
	if err := w.Lab.Get(ctx, "/lab/strategies", &list); err != nil {
		return Quit, err
	}
	for {
		strategy, key, err := w.strategy(ctx, list.Strategies)
		if err != nil || key != Next {
			return key, err
		}
		key, err = w.breakIt(ctx, strategy)
		if err != nil || key == Quit {
			return key, err
		}
	}
}

// breakIt lets the learner choose a step of the strategy, guess, and run it. It gives Next, or Back where another
// strategy is wanted.
func (w *Walk) breakIt(ctx context.Context, strategy step.StrategyInfo) (Key, error) {
	at, key, err := w.point(ctx, strategy)
	if err != nil || key != Next {
		return key, err
	}
	mine, key, err := w.guess(ctx)
	if err != nil || key != Next {
		return key, err
	}
	spec := specOf(strategy.ID)
	if at != nowhere {
		spec = crashOf(strategy.ID, at)
	}
	run, err := w.play(ctx, spec)
	if err != nil {
		return Quit, err
	}
	w.verdict(run, mine, w.whyOf(run, strategy, at))
	return w.ask(ctx, w.offer("break", "back"), Next, Back)
}

// whyOf is the strategy's own reason where this crash does harm, and the sentence of the verdict elsewhere.
func (w *Walk) whyOf(run lab.Run, strategy step.StrategyInfo, at step.Name) string {
	for _, window := range strategy.Windows {
		if window.From == at {
			return w.in(window.Harm)
		}
	}
	for _, v := range run.Verdicts {
		return w.Words.T(tell.Why(v, strategy.ID))
	}
	return ""
}

// page is how many choices there are digits for.
const page = 9

// strategy lets the learner choose a strategy by a digit; the key more turns the page.
func (w *Walk) strategy(ctx context.Context, all []step.StrategyInfo) (step.StrategyInfo, Key, error) {
	for from := 0; ; {
		shown := all[from:min(from+page, len(all))]
		w.line("")
		w.say("free.strategy", tell.Strong)
		for i, s := range shown {
			w.line(fmt.Sprintf("  %d  %-17s %s", i+1, s.ID, w.in(s.Title)))
		}
		key, err := w.ask(ctx, w.offer("number", "more", "back"), digits(len(shown), more, Back)...)
		switch {
		case err != nil || key == Back || key == Quit:
			return step.StrategyInfo{}, key, err
		case key == more:
			if from += page; from >= len(all) {
				from = 0
			}
		default:
			chosen := shown[key-'1']
			w.line("")
			w.line(w.Paint.In(tell.Strong, chosen.ID))
			w.lines(tell.Wrap(w.in(chosen.Summary), 0))
			return chosen, Next, nil
		}
	}
}

// point lets the learner choose the step at which the process is killed: 0 is none.
func (w *Walk) point(ctx context.Context, strategy step.StrategyInfo) (step.Name, Key, error) {
	points := append([]step.Name{step.RelayPublished}, strategy.Steps...)
	points = append(points, step.MailSent)
	points = points[:min(page, len(points))]
	w.line("")
	w.say("free.point", tell.Strong)
	w.line("  0  " + w.Words.T("point.none"))
	for i, at := range points {
		w.line(fmt.Sprintf("  %d  %-17s %s", i+1, at, w.Words.T("point."+string(at))))
	}
	key, err := w.ask(ctx, w.offer("number", "back"), digits(len(points), '0', Back)...)
	if err != nil || key == Back || key == Quit {
		return nowhere, key, err
	}
	at, text := nowhere, "free.setup.none"
	if key != '0' {
		at, text = points[key-'1'], "free.setup"
	}
	w.line("")
	w.line("  " + w.Paint.In(tell.Faint, w.Words.T(text, tell.Args{"strategy": strategy.ID, "point": at})))
	return at, Next, nil
}

// digits are the keys 1 to n, and more.
func digits(n int, others ...Key) []Key {
	keys := others
	for i := range n {
		keys = append(keys, Key('1'+rune(i)))
	}
	return keys
}
