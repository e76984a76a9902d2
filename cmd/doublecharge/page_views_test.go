package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// theMatrix: a press on a cell runs it on real processes, a second press opens that run in the diagram.
func theMatrix(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.visit(p.address("en", "light", "matrix"))
	const cell = `.view.matrix [data-strategy=naive][data-fault="crash:worker.charged"]`
	tab.waitFor(fmt.Sprintf(`document.querySelector(%q)`, cell))
	tab.click(cell)
	tab.waitFor(fmt.Sprintf(`document.querySelector('%s .face').textContent.includes('2')`, cell))
	tab.click(cell)
	tab.waitFor(`location.hash.startsWith('#/run/')`)
	tab.toTheEnd()
	tab.ends("Charged twice!")
	if !ask[bool](tab, `Boolean(document.querySelector('.row.crash'))`) {
		t.Error("the run of the cell has no crash")
	}
}

// theCoveredMatrix tells nothing before a press uncovers a cell.
func theCoveredMatrix(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.visit(p.address("en", "light", "matrix"))
	const cell = `.view.matrix [data-strategy=naive][data-fault="crash:worker.charged"]`
	const face = `document.querySelector('` + cell + ` .face').textContent`
	tab.waitFor(fmt.Sprintf(`document.querySelector('%s .face')?.textContent.includes('2')`, cell))
	tab.click(".matrix-bar .segments button:last-child")
	tab.waitFor(`!` + face + `.includes('2')`)
	tab.click(cell)
	tab.waitFor(face + `.includes('2')`)
}

// theExplorer finds the shortest counterexample, plays it in the diagram, and real processes say the same.
func theExplorer(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.visit(p.address("en", "light", "explore?strategy=seen-set"))
	tab.waitFor(`document.querySelector('.explore-top .second')?.textContent`)
	tab.click(".explore-top .second")
	tab.waitFor(`document.querySelectorAll('.explore-card .steps li').length >= 4`)
	if n := ask[int](tab, `document.querySelectorAll('.explore-card .steps li').length`); n > 12 {
		t.Errorf("the shortest counterexample is told in %d sentences", n)
	}
	tab.click(".explore-card .actions .second")
	tab.waitFor(`document.querySelector('.explore-card .trial[data-tone=ok]')`)
	tab.click(".explore-card .actions .primary")
	tab.waitFor(`location.hash.startsWith('#/run/')`)
	tab.toTheEnd()
	tab.ends("Charged twice!")
}

// theComparison: the same order and fault, two strategies, one playhead, two verdicts.
func theComparison(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.visit(p.address("en", "light", "compare?a=naive&b=seen-set-and-key&fault=worker.charged"))
	tab.waitFor(`document.querySelector('.compare-bar .primary')?.textContent`)
	tab.checkNothingIsGivenAway("Charged twice!", "Charged once")
	tab.click(".compare-bar .primary")
	tab.waitFor(`document.querySelector('.compare-transport [data-name=last]')`)
	tab.waitFor(`document.querySelectorAll('.compare-side .row').length > 2`)
	tab.click(".compare-transport [data-name=last]")
	tab.waitFor(`[...document.querySelectorAll('.compare-side .says')].map((s) => s.innerText).join()
		.match(/Charged twice!.*Charged once/s)`)
	heights := ask[[]int](tab, `[...document.querySelectorAll('.compare-side .rows')].map((r) => r.childElementCount)`)
	if len(heights) != 2 || heights[0] != heights[1] {
		t.Errorf("the sides have %v rows", heights)
	}
}

// theLesson: question, guess, run on real processes, answer, tick.
func theLesson(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.visit(p.address("en", "light", "lessons/45/naive-crash-after-charge"))
	tab.waitFor(`document.querySelector('.lesson h2')?.textContent`)
	tab.checkNothingIsGivenAway("Charged twice!")
	tab.do(chromedp.Click(chromedp.CSS(`.lesson label`)))
	tab.do(chromedp.Click(chromedp.CSS(`.lesson .primary`)))
	tab.waitFor(`document.querySelector('.chapters [aria-current] .tick')?.textContent.trim()`)
	if text := tab.text(); !strings.Contains(text, "two charges") && !strings.Contains(text, "Charged twice") {
		t.Errorf("the lesson does not tell its answer:\n%s", text)
	}
}

// thePictures are eight, and each is drawn from the run on the stage, in both languages.
func thePictures(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "lab?strategy=seen-set&fault=worker.charged"))
	finished("picture")(tab)
	tab.waitFor(`document.querySelector('#picture input[name=picture]')`)
	const choices = `[...document.querySelectorAll('#picture input[name=picture]')]`
	names := ask[[]string](tab, choices+`.map((input) => input.value)`)
	if len(names) != 8 {
		t.Fatalf("the pictures are %v", names)
	}
	for _, name := range names {
		tab.click(fmt.Sprintf("#picture input[value=%s]", name))
		for _, lang := range []string{"en", "tr"} {
			tab.wear(lang, "light")
			text := ask[string](tab, `document.querySelector('#picture').innerText`)
			if len(text) < 200 {
				t.Errorf("the picture %s says only %q", name, text)
			}
			tab.checkNothingIsClipped("picture " + name + " in " + lang)
			tab.picture("picture-" + name + "-" + lang)
		}
	}
}
