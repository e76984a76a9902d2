package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// press sends a key as a keyboard or a clicker does.
func (b *tab) press(key string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(key))
}

// aClicker runs a story by PageDown, PageUp, "." and F5 alone; Space on a button presses that button once.
func aClicker(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "story/1?present=1"))
	tab.waitFor(`document.querySelector('footer.key-line')?.textContent`)
	tab.press(kb.PageDown)
	tab.waitFor(`document.querySelector('.row.crash')`)
	tab.press(".")
	tab.waitFor(`document.querySelector('dialog.blank[open]')`)
	tab.press(".")
	tab.waitFor(`!document.querySelector('dialog.blank[open]')`)
	for !ask[bool](tab, `document.querySelector('#verdict').innerText.includes('Charged twice!')`) {
		tab.press(kb.PageDown)
	}
	tab.waitFor(`location.hash.includes('run=') && !location.hash.includes('at=')`) // It follows in a moment.
	tab.do(chromedp.Reload())
	tab.waitFor(`document.body && !document.body.hasAttribute('data-loading')`)
	tab.ends("Charged twice!")
	rows := ask[int](tab, `document.querySelectorAll('.rows .row:not(.ghost)').length`)
	tab.press(kb.PageUp)
	tab.waitFor(`document.querySelectorAll('.rows .row:not(.ghost)').length < ` + strconv.Itoa(rows))
	tab.press(kb.PageDown)
	tab.ends("Charged twice!")
	tab.run(`(() => { window.presses = 0; const why = document.querySelector('.headline .show');
		why.addEventListener('click', () => { window.presses += 1; }); why.focus(); })()`)
	tab.press(" ")
	if n := ask[int](tab, `window.presses`); n != 1 {
		t.Errorf("Space on a button pressed it %d times", n)
	}
	if hash := ask[string](tab, `location.hash`); strings.Contains(hash, "story/2") {
		t.Errorf("Space on a button was the clicker's next as well, and led to %s", hash)
	}
}

// theNotes of the teacher follow the window with the lesson, and drive it.
func theNotes(t *testing.T, p pageUnderTest) {
	t.Helper()
	stage, notes := p.tab(t), p.tab(t)
	stage.visit(p.address("en", "light", "lessons/45/naive-crash-after-charge?present=1"))
	stage.waitFor(`document.querySelector('.slide h2')?.textContent`)
	notes.visit(p.address("tr", "dark", "notes"))
	const title = `document.querySelector('.sheet-of-notes h2')?.textContent`
	notes.waitFor(title)
	first := ask[string](notes, title)
	stage.press("b") // A hand for the second choice, and the totals.
	stage.press("b")
	stage.press("g")
	stage.waitFor(`document.querySelectorAll('.slide .count')[1]?.textContent.includes('2')`)
	notes.waitFor(`document.querySelector('.sheet-of-notes .said').textContent.includes('2')`)
	notes.checkNothingIsClipped("notes of a lesson")
	notes.picture("notes-of-a-lesson-tr-dark")
	stage.picture("slide-en-light")
	stage.checkNothingIsClipped("question")
	stage.press("2")
	notes.waitFor(title + ` !== ` + strconv.Quote(first))
	question := ask[string](stage, `document.querySelector('.slide h2').textContent`)
	notes.click("[data-order=back]")
	stage.waitFor(`document.querySelector('.slide h2').textContent !== ` + strconv.Quote(question))
}
