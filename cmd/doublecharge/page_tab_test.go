package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// payable holds once the customer can pay.
const payable = `document.querySelector('.pay') &&
	document.querySelector('.pay').getAttribute('aria-disabled') !== 'true'`

// tab is one tab of the browser. At the end of the test it must have said nothing in the console, and have
// asked no other host.
type tab struct {
	t    *testing.T
	ctx  context.Context //nolint:containedctx // A tab is its context in this library.
	base string

	lock   sync.Mutex
	faults []string
}

// tab opens a tab of 1280 × 720.
func (p pageUnderTest) tab(t *testing.T) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(p.browser)
	t.Cleanup(closeTab)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, base: p.base}
	b.do(chromedp.EmulateViewport(1280, 720))
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.lock.Lock()
		defer b.lock.Unlock()
		for _, fault := range b.faults {
			t.Errorf("the browser says: %s", fault)
		}
	})
	return b
}

func (b *tab) hear(event any) {
	said := ""
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		said = event.ExceptionDetails.Text
		if event.ExceptionDetails.Exception != nil {
			said = event.ExceptionDetails.Exception.Description
		}
	case *log.EventEntryAdded:
		if event.Entry.Level == log.EntryLevelError {
			said = event.Entry.Text + " " + event.Entry.URL
		}
	case *network.EventRequestWillBeSent:
		address := event.Request.URL
		own := strings.HasPrefix(address, b.base) || strings.HasPrefix(address, "data:") ||
			strings.HasPrefix(address, "blob:") || strings.HasPrefix(address, "file:") || address == "about:blank"
		if !own {
			said = "a request to " + address
		}
	}
	if said != "" {
		b.lock.Lock()
		defer b.lock.Unlock()
		b.faults = append(b.faults, said)
	}
}

// forgive drops what was said so far, where a test broke something on purpose.
func (b *tab) forgive() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.faults = nil
}

// open opens an address anew, and waits until the customer can pay.
func (b *tab) open(address string) {
	b.t.Helper()
	b.visit(address)
	b.waitFor(payable)
}

// visit opens an address anew.
func (b *tab) visit(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	b.waitFor(`document.body && !document.body.hasAttribute('data-loading')`)
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.run(fmt.Sprintf(`document.querySelector(%q).click()`, selector))
}

// choose takes an option of a select.
func (b *tab) choose(selector, value string) {
	b.t.Helper()
	b.run(fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %q;
		s.dispatchEvent(new Event('change', { bubbles: true })); })()`, selector, value))
}

func (b *tab) run(expression string) {
	b.t.Helper()
	ask[any](b, expression+`, null`)
}

func (b *tab) waitFor(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool]("Boolean("+expression+")")); err != nil {
		b.t.Fatalf("waiting for %s: %v; the page says:\n%s", expression, err, b.text())
	}
}

// ask evaluates an expression in the page.
func ask[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

func (b *tab) text() string {
	b.t.Helper()
	return ask[string](b, `document.body.innerText`)
}

// checkNothingIsGivenAway: before the run the page must not hold its answer.
func (b *tab) checkNothingIsGivenAway(answers ...string) {
	b.t.Helper()
	held := ask[string](b, `document.body.textContent`)
	for _, answer := range append(answers, "✓", "✕") {
		if strings.Contains(held, answer) {
			b.t.Errorf("the page holds %q before the run", answer)
		}
	}
}

// live drops the pace: the test reads no story.
func (b *tab) live() {
	b.t.Helper()
	b.choose(".transport select", "live")
}

// play presses Pay and waits until the page says how it ended.
func (b *tab) play(verdict string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(`.pay`)))
	b.ends(verdict)
	b.waitFor(`!document.querySelector('#next').hidden`)
}

// ends waits for the verdict.
func (b *tab) ends(verdict string) {
	b.t.Helper()
	b.waitFor(fmt.Sprintf(`document.querySelector('#verdict').innerText.includes(%q)`, verdict))
}

// toTheEnd moves the playhead behind the last row of the run that is on the stage.
func (b *tab) toTheEnd() {
	b.t.Helper()
	b.waitFor(`Number(document.querySelector('.transport input').max) > 0`)
	b.click(".transport [data-name=last]")
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
