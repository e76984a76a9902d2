package main

import (
	_ "embed" // for the scripts that measure
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// firstLoad is what the first view may take off the wire, in bytes.
const firstLoad = 150_000

// theWeight of the first view, as it comes over the wire.
func theWeight(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", ""))
	size := ask[int](tab, `performance.getEntriesByType('resource').filter((r) => !r.name.includes('/lab/events'))
		.reduce((sum, r) => sum + r.transferSize, performance.getEntriesByType('navigation')[0].transferSize)`)
	t.Logf("the first view takes %d bytes", size)
	if size == 0 || size > firstLoad {
		t.Errorf("the first view takes %d bytes, not at most %d", size, firstLoad)
	}
}

// sevenTabs: a browser has six connections for one host, and every tab can be used.
func sevenTabs(t *testing.T, p pageUnderTest) {
	t.Helper()
	var last *tab
	for range 7 {
		last = p.tab(t)
		last.open(p.address("en", "light", "story/1"))
	}
	last.live()
	last.play("Charged twice!")
}

// theLayout: at 1280 × 720 the page does not scroll, and no label is clipped, in both languages.
func theLayout(t *testing.T, p pageUnderTest) {
	t.Helper()
	for _, lang := range []string{"en", "tr"} {
		tab := p.tab(t)
		for _, hash := range []string{
			"story/1", "story/4", "lab?strategy=hybrid&fault=stripe.charged_then_500&skip=1", "story/1?present=1",
		} {
			tab.open(p.address(lang, "light", hash))
			tab.checkNothingIsClipped(hash)
			if hash == "story/1" {
				tab.live()
				tab.do(chromedp.Click(chromedp.CSS(`.pay`)))
				tab.waitFor(`!document.querySelector('#next').hidden`)
				tab.checkNothingIsClipped(hash + ", finished")
				if ask[bool](tab, `(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)(
					document.querySelector('#money'))`) {
					t.Errorf("in %s the books of the first act do not fit", lang)
				}
			}
		}
	}
}

// everyWidth: from a small phone to a projector no view scrolls sideways, and no label is cut off.
func everyWidth(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	for _, look := range looks() {
		if !look.rests {
			continue
		}
		tab.visit(p.address("en", "light", look.hash))
		look.prepare(tab)
		for _, width := range []int64{320, 390, 768, 900, 1024, 1920} {
			tab.do(chromedp.EmulateViewport(width, 900))
			for _, lang := range []string{"en", "tr"} {
				tab.wear(lang, "light")
				tab.checkNothingIsClipped(fmt.Sprintf("%s in %s at %d", look.name, lang, width))
			}
		}
	}
}

// clipped lists what a person could not read.
//
//go:embed testdata/clipped.js
var clipped string

func (b *tab) checkNothingIsClipped(where string) {
	b.t.Helper()
	for _, wrong := range ask[[]string](b, clipped) {
		b.t.Errorf("%s: %s", where, wrong)
	}
}

//go:embed testdata/long.js
var longRun string

//go:embed testdata/frames.js
var frames string

// aLongRun of 2,000 events stays smooth: the test prints how long frames take while it plays and scrolls.
func aLongRun(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "story/1"))
	tab.live()
	tab.play("Charged twice!")
	tab.run(longRun)
	tab.waitFor(`window.long`)
	tab.run(give(ask[string](tab, `window.long`)))
	tab.waitFor(`location.hash.startsWith('#/run/long')`)
	tab.toTheEnd()
	tab.ends("Charged twice!")
	if rows := ask[int](tab, `document.querySelectorAll('.rows .row').length`); rows == 0 || rows > 150 {
		t.Errorf("%d rows are in the document", rows)
	}
	tab.run(frames)
	tab.waitFor(`window.times`)
	for what, times := range ask[map[string][]float64](tab, `window.times`) {
		slices.Sort(times)
		at := func(part float64) string { return fmt.Sprintf("%.0f ms", times[int(part*float64(len(times)-1))]) }
		t.Logf("2,000 events, %s: half of the frames within %s, 95 of 100 within %s, the longest %s",
			what, at(0.5), at(0.95), at(1))
	}
}
