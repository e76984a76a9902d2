package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// testFlags are this package's own flags.
type testFlags struct {
	browser  *bool
	pictures *string
}

func newTestFlags() testFlags {
	return testFlags{
		flag.Bool("browser", false, "play the story in a real browser too"),
		flag.String("pictures", "", "take the pictures of the README into this folder"),
	}
}

// flags of the test binary must exist before the tests run.
var flags = newTestFlags() //nolint:gochecknoglobals // The testing package parses flags before TestMain.

// TestThePage plays the story in a browser, in both languages: the crash that charges twice, and with
// the key the crash that does not.
func TestThePage(t *testing.T) {
	t.Parallel()
	if !*flags.browser {
		t.Skip("needs a browser: make browser brings one and plays the story in it")
	}
	d := startDemo(t)
	allocator, stop := chromedp.NewExecAllocator(t.Context(),
		append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox)...)
	t.Cleanup(stop)
	for _, look := range []struct{ lang, theme, twice, once string }{
		{"en", "light", "Charged twice!", "Charged once"},
		{"tr", "dark", "İki kez çekildi!", "Bir kez çekildi"},
	} {
		tab := openTab(t, allocator)
		story := fmt.Sprintf("%s/?lang=%s&theme=%s#/story/", d.base, look.lang, look.theme)
		tab.open(story + "1")
		tab.checkNothingIsGivenAway(look.twice, look.once)
		tab.play(look.twice)
		tab.picture("act-1-" + look.lang)
		tab.open(story + "3")
		tab.play(look.once)
		tab.picture("act-3-" + look.lang)
	}
}

// tab is one tab of the browser.
type tab struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // A tab is its context in this library.
}

func openTab(t *testing.T, allocator context.Context) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	opened := &tab{t, ctx}
	opened.do(chromedp.EmulateViewport(1280, 720))
	return opened
}

// open opens an address anew, and waits until the customer can pay.
func (b *tab) open(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	b.waitFor(`document.querySelector('.pay') &&
		document.querySelector('.pay').getAttribute('aria-disabled') !== 'true'`)
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) waitFor(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression)); err != nil {
		b.t.Fatalf("waiting for %s: %v; the page says:\n%s", expression, err, b.text())
	}
}

func (b *tab) text() string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body.innerText`))
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// checkNothingIsGivenAway: before the run the page must not hold its answer.
func (b *tab) checkNothingIsGivenAway(answers ...string) {
	b.t.Helper()
	for _, answer := range append(answers, "✓", "✕") {
		if strings.Contains(b.text(), answer) {
			b.t.Errorf("the page says %q before the run", answer)
		}
	}
}

// play presses Pay and waits until the page says how it ended.
func (b *tab) play(verdict string) {
	b.t.Helper()
	b.do(chromedp.Click(`.pay`))
	b.waitFor(fmt.Sprintf(`document.querySelector('#verdict').innerText.includes(%q)`, verdict))
	b.waitFor(`!document.querySelector('#next').hidden`)
}

func (b *tab) picture(name string) {
	b.t.Helper()
	if *flags.pictures == "" {
		return
	}
	b.waitFor(`document.getAnimations().length === 0`)
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(*flags.pictures, name+".png"), png, 0o644)
	}
	if err != nil {
		b.t.Error(err)
	}
}
