package main

import (
	_ "embed" // for the script that asks axe
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// askAxe runs axe-core in the page and keeps what it found in window.found.
//
//go:embed testdata/axe.js
var askAxe string

// look is one view in one state.
type look struct {
	name, hash string
	rests      bool // Nothing runs in it.
	// prepare brings the view, once it is open, into its state.
	prepare func(b *tab)
}

// looks are all views: at rest, and the stage while it runs and when it is over.
func looks() []look {
	const comparison = "compare?a=naive&b=seen-set-and-key&fault=worker.charged"
	const first = "lessons/45/naive-crash-after-charge"
	return []look{
		{"story", "story/1", true, toPay},
		{"story-running", "story/2", false, paused},
		{"story-finished", "story/1", false, finished("")},
		{"story-saved", "story/3", false, finished("")},
		{"lab", "lab?strategy=hybrid&fault=worker.charged", true, toPay},
		{"lab-code", "lab?strategy=seen-set&fault=worker.charged", false, litLine},
		{"lab-picture", "lab?strategy=seen-set&fault=worker.charged", false, finished("picture")},
		{"lab-table", "lab?strategy=seen-set&fault=stripe.response_lost", false, finished("table")},
		{"matrix", "matrix", true, shows(".matrix-bar .second")},
		{"explore", "explore", true, shows(".view.explore h2")},
		{"compare", comparison, true, shows(".view.compare h2")},
		{"compare-finished", comparison, false, compared},
		{"lessons", "lessons", true, shows(".view.lessons h2")},
		{"lesson", first, true, shows(".lesson label")},
		{"slide", first + "?present=1", true, shows(".slide .option")},
		{"notes", "notes", true, shows(".view.notes .lead")},
		{"present", "story/1?present=1", true, shows(".key-line .what")},
		{"present-finished", "story/2?present=1", false, presented},
	}
}

func toPay(b *tab) {
	b.t.Helper()
	b.waitFor(payable)
}

// shows waits for the first words of a view.
func shows(selector string) func(*tab) {
	return func(b *tab) {
		b.t.Helper()
		b.waitFor(fmt.Sprintf(`document.querySelector(%q)?.textContent`, selector))
	}
}

// paused stops the story in the middle.
func paused(b *tab) {
	b.t.Helper()
	b.waitFor(payable)
	b.click(".pay")
	b.waitFor(`document.querySelector('.row.crash')`)
	b.click(".transport [data-name=play]")
}

// finished plays to the verdict, and opens a tab of the stage.
func finished(name string) func(*tab) {
	return func(b *tab) {
		b.t.Helper()
		b.waitFor(payable)
		b.live()
		b.click(".pay")
		b.waitFor(`!document.querySelector('#next').hidden`)
		if name != "" {
			b.click(fmt.Sprintf("[data-tab=%s]", name))
			b.waitFor(fmt.Sprintf(`document.querySelector('[data-tab=%s]').ariaPressed === 'true'`, name))
		}
	}
}

// litLine puts the playhead behind the charge, where the source shows the line that is running.
func litLine(b *tab) {
	b.t.Helper()
	finished("code")(b)
	b.run(`(() => { const s = document.querySelector('.transport input'); s.value = 5;
		s.dispatchEvent(new Event('input')); })()`)
	b.waitFor(`document.querySelector('.source [aria-current]')`)
}

func compared(b *tab) {
	b.t.Helper()
	shows(".compare-bar .primary")(b)
	b.click(".compare-bar .primary")
	b.waitFor(`document.querySelectorAll('.compare-side .row').length > 2`)
	b.click(".compare-transport [data-name=last]")
	b.waitFor(`document.querySelectorAll('.compare-side .says .mark')[1]?.textContent`)
}

func presented(b *tab) {
	b.t.Helper()
	paused(b)
	b.toTheEnd()
	b.waitFor(`document.querySelector('#verdict').dataset.tone === 'bad'`)
}

// everyLook: in every view, language and theme, axe finds nothing, nothing is clipped, and with -pictures it
// is photographed.
func everyLook(t *testing.T, p pageUnderTest) {
	t.Helper()
	axe := ""
	if *flags.axe != "" {
		source, err := os.ReadFile(*flags.axe)
		if err != nil {
			t.Fatal(err)
		}
		axe = string(source)
	}
	for _, look := range looks() {
		t.Run(look.name, func(t *testing.T) {
			tab := p.tab(t)
			tab.visit(p.address("en", "light", look.hash))
			look.prepare(tab)
			for _, dress := range []struct {
				lang, theme string
				axe         bool // Contrast depends on the theme alone, and names on the language alone.
			}{
				{"en", "light", true}, {"tr", "light", false}, {"tr", "dark", true}, {"en", "dark", false},
			} {
				tab.wear(dress.lang, dress.theme)
				where := strings.Join([]string{look.name, dress.lang, dress.theme}, "-")
				tab.checkNothingIsClipped(where)
				if dress.axe {
					tab.checkAxe(axe, where)
				}
				tab.picture(where)
			}
		})
	}
}

// wear switches language and theme where the tab is, as a person would.
func (b *tab) wear(lang, theme string) {
	b.t.Helper()
	b.click(fmt.Sprintf("#header button[lang=%s]", lang))
	b.run(fmt.Sprintf(`(() => { if (document.documentElement.dataset.theme !== %q)
		document.querySelector('#header > button.square').click(); })()`, theme))
	b.waitFor(fmt.Sprintf(`document.documentElement.lang === %q && document.documentElement.dataset.theme === %q`,
		lang, theme))
	b.still()
}

// still waits until nothing moves.
func (b *tab) still() {
	b.t.Helper()
	b.waitFor(`document.getAnimations().length === 0`)
}

// checkAxe lists what axe-core finds, if its source is given.
func (b *tab) checkAxe(source, where string) {
	b.t.Helper()
	if source == "" {
		return
	}
	if !ask[bool](b, `Boolean(window.axe)`) {
		b.do(chromedp.Evaluate[chromedp.Void](source + "; undefined"))
	}
	b.run(`(() => { window.found = null; })()`)
	b.run(askAxe)
	b.waitFor(`window.found`)
	for _, found := range ask[[]string](b, `window.found`) {
		b.t.Errorf("%s: axe: %s", where, found)
	}
}
