package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// theLab: any strategy, any trouble; what broke is told with the reason of the table.
func theLab(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "lab?strategy=transactional&fault=stripe.response_lost"))
	tab.checkNothingIsGivenAway("Charged twice!")
	tab.live()
	tab.play("Charged twice!")
	const why = "outside"
	if text := tab.text(); !strings.Contains(text, why) {
		t.Errorf("the page does not say %q, which is why it charges twice:\n%s", why, text)
	}
	tab.click("#holds summary")
	if cells := ask[int](tab, `document.querySelectorAll('#holds li').length`); cells < 10 {
		t.Errorf("the strategy's row has %d cells", cells)
	}
	tab.click(".headline .show")
	tab.waitFor(`document.querySelector('.rows .row.focus')`)
}

// stepByStep: the real worker stands still until the page lets it go, and the code pane lights its line.
func stepByStep(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "lab?strategy=seen-set&fault=worker.charged"))
	tab.choose(".transport select", "step")
	tab.click("#left-head [data-tab=code]")
	tab.click(".pay")
	const held = `!document.querySelector('.continue').hidden`
	lines := map[string]bool{}
	for steps := 0; ; steps++ {
		tab.waitFor(held + ` || document.querySelector('#verdict').dataset.tone !== 'idle'`)
		if !ask[bool](tab, held) {
			if steps < 8 {
				t.Errorf("the worker waited %d times", steps)
			}
			break
		}
		if waiting := p.state().Waiting; len(waiting) == 0 {
			t.Errorf("the page says that a process waits, and the lab knows of none")
		}
		line := ask[string](tab, `document.querySelector('.source [aria-current]')?.textContent ?? ''`)
		lines[strings.TrimSpace(line)] = true
		before := ask[string](tab, `document.querySelector('.told').textContent`)
		tab.click(".continue")
		tab.waitFor(fmt.Sprintf(`document.querySelector('.told').textContent !== %q`, before))
	}
	tab.ends("Charged twice!")
	if len(lines) < 4 {
		t.Errorf("these lines were lit: %v", lines)
	}
}

// theRowMenu: a press on a step that is chosen puts a fault there, by mouse and by keyboard.
func theRowMenu(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "story/4"))
	tab.waitFor(`document.querySelector('.rows .row.ghost.look')`) // The strategy's own steps are known.
	const row = `.rows .row.ghost.effects`
	tab.do(chromedp.Click(chromedp.CSS(row)), chromedp.Click(chromedp.CSS(row)))
	tab.waitFor(`document.querySelector('#row-menu:popover-open')`)
	tab.click("#row-menu .choice")
	tab.waitFor(`location.hash.includes('fault=worker.recorded')`)
	tab.live()
	tab.play("Charged once")
	if !ask[bool](tab, `Boolean(document.querySelector('.row.crash'))`) {
		t.Error("nothing crashed")
	}
}

// theShopsKey: a double click is one order, unless the shop makes a key at every press.
func theShopsKey(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	const twice = `(() => { const p = document.querySelector('.pay'); p.click(); p.click(); })()`
	tab.open(p.address("en", "light", "lab?strategy=seen-set-and-key"))
	tab.live()
	tab.run(twice)
	tab.ends("Charged once")
	tab.open(p.address("en", "light", "lab?strategy=seen-set-and-key&pay=click"))
	tab.live()
	tab.run(twice)
	tab.ends("Ordered twice")
}

// aCrashOfTheAPI shows inside the diagram and nowhere else, and the trace is complete afterwards.
func aCrashOfTheAPI(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "lab?strategy=seen-set-and-key&fault=api.committed"))
	tab.live()
	tab.run(`(() => { window.banners = 0; new MutationObserver(() => {
		if (!document.querySelector('#banner').hidden) window.banners += 1; })
		.observe(document.querySelector('#banner'), { attributes: true }); })()`)
	tab.play("Charged once")
	if n := ask[int](tab, `window.banners`); n != 0 {
		t.Errorf("the page showed a banner %d times", n)
	}
	for _, kind := range []string{"crash", "start", "requestAgain", "sameOrder", "charged", "mail"} {
		if !ask[bool](tab, fmt.Sprintf(`Boolean(document.querySelector('.row.%s'))`, kind)) {
			t.Errorf("the trace has no row %s", kind)
		}
	}
	tab.forgive() // The answer that the crash cut off stands in the console.
}

// aFreshTable is one press, and so is the way back to what stood on it.
func aFreshTable(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "story/1"))
	tab.live()
	tab.play("Charged twice!")
	tab.click("#control .reset")
	tab.waitFor(`document.querySelector('#control .reset').textContent === 'Undo'`)
	tab.waitFor(payable)
	tab.checkNothingIsGivenAway("Charged twice!")
	tab.click("#control .reset")
	tab.waitFor(`location.hash.startsWith('#/run/')`)
	tab.toTheEnd()
	tab.ends("Charged twice!")
}

// aReload, which many clickers send, comes back to the same run and the same row.
func aReload(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "story/1"))
	tab.live()
	tab.play("Charged twice!")
	tab.click(".transport [data-name=back]")
	tab.click(".transport [data-name=back]")
	before := ask[int](tab, `document.querySelectorAll('.rows .row:not(.ghost)').length`)
	tab.waitFor(fmt.Sprintf(`location.hash.endsWith('at=%d')`, before)) // The address follows in a moment.
	tab.do(chromedp.Reload())
	tab.waitFor(fmt.Sprintf(`document.querySelectorAll('.rows .row:not(.ghost)').length === %d`, before))
	tab.open(p.address("en", "light", "story/2"))
	tab.choose(".transport select", "paced")
	tab.click(".pay")
	tab.waitFor(`/at=[3-5]/.test(location.hash)`)
	tab.do(chromedp.Reload())
	tab.waitFor(`document.querySelectorAll('.rows .row:not(.ghost)').length > 2`)
	tab.checkNothingIsGivenAway("Charged twice!")
}
