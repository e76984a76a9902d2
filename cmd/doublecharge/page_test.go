package main

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// testFlags are this package's own flags.
type testFlags struct {
	browser  *bool
	pictures *string
	axe      *string
}

func newTestFlags() testFlags {
	return testFlags{
		flag.Bool("browser", false, "play the story in a real browser too"),
		flag.String("pictures", "", "take pictures of every view, language and theme into this folder"),
		flag.String("axe", "", "the file axe.min.js of axe-core, which then looks at every view"),
	}
}

// flags of the test binary must exist before the tests run.
var flags = newTestFlags() //nolint:gochecknoglobals // The testing package parses flags before TestMain.

// TestThePage plays everything that people do with the page in a real browser, on one running demo: what it
// shows is one lab's, so its parts follow one another.
//
//nolint:paralleltest,tparallel // One lab, one thing at a time.
func TestThePage(t *testing.T) {
	t.Parallel()
	if !*flags.browser {
		t.Skip("needs a browser: make browser brings one and plays the story in it")
	}
	d := startDemo(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox,
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"))
	program, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	browser, closeBrowser := chromedp.NewContext(program)
	t.Cleanup(closeBrowser)
	if err := chromedp.Do(browser); err != nil { // Starts it: every tab is one of this browser's.
		t.Fatal(err)
	}
	p := pageUnderTest{d, browser}
	for _, part := range []struct {
		name string
		test func(*testing.T, pageUnderTest)
	}{
		{"story", theStory},
		{"first verdict", theFirstVerdict},
		{"playhead", thePlayheadLeads},
		{"lab", theLab},
		{"step by step", stepByStep},
		{"row menu", theRowMenu},
		{"shop's key", theShopsKey},
		{"api crash", aCrashOfTheAPI},
		{"reload", aReload},
		{"fresh table", aFreshTable},
		{"saved page", theSavedPage},
		{"saved file", aFileOfAStranger},
		{"markup", markupIsText},
		{"seven tabs", sevenTabs},
		{"layout", theLayout},
		{"weight", theWeight},
		{"long run", aLongRun},
		{"matrix", theMatrix},
		{"covered matrix", theCoveredMatrix},
		{"explorer", theExplorer},
		{"comparison", theComparison},
		{"pictures", thePictures},
		{"lesson", theLesson},
		{"clicker", aClicker},
		{"notes", theNotes},
		{"widths", everyWidth},
		{"looks", everyLook},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, p) })
	}
}

// pageUnderTest is the page of a running demo, and a browser.
type pageUnderTest struct {
	*demoUnderTest
	browser context.Context //nolint:containedctx // A browser is its context in this library.
}

// address is a place on the page, in a language and a theme.
func (p pageUnderTest) address(lang, theme, hash string) string {
	return fmt.Sprintf("%s/?lang=%s&theme=%s#/%s", p.base, lang, theme, hash)
}

// theStory: the crash that charges twice, the look that does not help, and with the key the crash that
// charges once, in both languages.
func theStory(t *testing.T, p pageUnderTest) {
	t.Helper()
	for _, look := range []struct{ lang, theme, twice, once string }{
		{"en", "light", "Charged twice!", "Charged once"},
		{"tr", "dark", "İki kez çekildi!", "Bir kez çekildi"},
	} {
		tab := p.tab(t)
		tab.open(p.address(look.lang, look.theme, "story/1"))
		tab.checkNothingIsGivenAway(look.twice, look.once)
		tab.live()
		tab.play(look.twice)
		tab.click("#next .next")
		tab.waitFor(`location.hash.startsWith('#/story/2') && ` + payable)
		tab.checkNothingIsGivenAway(look.twice, look.once)
		tab.play(look.twice)
		tab.click("#next .next")
		tab.waitFor(`location.hash.startsWith('#/story/3') && ` + payable)
		tab.play(look.once)
		tab.click("#next .next")
		tab.waitFor(`location.hash.startsWith('#/story/4') && ` + payable)
	}
}

// theFirstVerdict: from a page that is ready, one press, and at most 25 s at the pace of a reader.
func theFirstVerdict(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", ""))
	begun := time.Now()
	tab.play("Charged twice!")
	if took := time.Since(begun); took > 25*time.Second {
		t.Errorf("the first verdict took %v", took)
	} else {
		t.Logf("the first verdict took %v", took.Round(time.Millisecond))
	}
}

// thePlayheadLeads: at every row, phone, statement and verdict tell no more than the rows that are shown.
func thePlayheadLeads(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "story/2"))
	tab.live()
	tab.play("Charged twice!")
	rows := ask[int](tab, `Number(document.querySelector('.transport input').max)`)
	for row := range rows {
		tab.run(fmt.Sprintf(`(() => { const s = document.querySelector('.transport input'); s.value = %d;
			s.dispatchEvent(new Event('input')); })()`, row))
		tab.waitFor(fmt.Sprintf(`document.querySelectorAll('.rows .row:not(.ghost)').length === %d`, row))
		got := ask[[]int](tab, `['.rows .row.charged:not(.ghost)', '.notice.bank',
			'.books tbody td:first-child .id:not(:empty)', '.notice.customer', '#verdict:not([data-tone=idle])']
			.map((selector) => document.querySelectorAll(selector).length)`)
		if got[1] != got[0] || got[2] != got[0] || got[3] != 0 || got[4] != 0 {
			t.Errorf("at row %d: charges %d, notices %d, lines %d, complaints %d, verdicts %d",
				row, got[0], got[1], got[2], got[3], got[4])
		}
	}
}
