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
	// prepare brings the view, once it is open, into its state.
	prepare func(b *tab)
}

// looks are all views: at rest, and the stage while it runs and when it is over.
func looks() []look {
	ready := func(selector string) func(*tab) {
		return func(b *tab) { b.waitFor(fmt.Sprintf(`document.querySelector(%q)?.textContent`, selector)) }
	}
	finished := func(name string) func(*tab) {
		return func(b *tab) {
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
	return []look{
		{"story", "story/1", func(b *tab) { b.waitFor(payable) }},
		{"story-running", "story/2", func(b *tab) {
			b.waitFor(payable)
			b.click(".pay")
			b.waitFor(`document.querySelector('.row.crash')`)
			b.click(".transport [data-name=play]")
		}},
		{"story-finished", "story/2", finished("")},
		{"story-saved", "story/3", finished("")},
		{"lab", "lab?strategy=hybrid&fault=worker.charged", func(b *tab) { b.waitFor(payable) }},
		{"lab-code", "lab?strategy=seen-set&fault=worker.charged", finished("code")},
		{"lab-picture", "lab?strategy=seen-set&fault=worker.charged", finished("picture")},
		{"lab-table", "lab?strategy=seen-set&fault=stripe.response_lost", finished("table")},
		{"matrix", "matrix", ready(".view.matrix table")},
		{"explore", "explore", ready(".view.explore h2")},
		{"compare", "compare?a=naive&b=seen-set-and-key&fault=worker.charged", ready(".view.compare h2")},
		{"lessons", "lessons", ready(".view.lessons h2")},
		{"notes", "notes", ready(".view.notes h2")},
		{"present", "story/1?present=1", func(b *tab) { b.waitFor(`document.body.dataset.present === 'true'`) }},
		{"present-finished", "story/2?present=1", func(b *tab) {
			b.waitFor(payable)
			b.click(".pay")
			b.waitFor(`document.querySelector('.row.crash')`)
			b.click(".transport [data-name=last]")
			b.ends("")
		}},
	}
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
			for _, dress := range []struct{ lang, theme string }{
				{"en", "light"}, {"tr", "light"}, {"tr", "dark"}, {"en", "dark"},
			} {
				tab.wear(dress.lang, dress.theme)
				where := strings.Join([]string{look.name, dress.lang, dress.theme}, "-")
				tab.checkNothingIsClipped(where)
				tab.checkAxe(axe, where)
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
