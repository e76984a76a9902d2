package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// saved presses Save and returns the file that the browser would write.
func (b *tab) saved(format string) string {
	b.t.Helper()
	b.run(`(() => { HTMLAnchorElement.prototype.click = () => undefined;
		URL.createObjectURL = (blob) => { void blob.text().then((text) => { window.file = text; }); return '#'; };
		window.file = ''; })()`)
	b.click(".save")
	b.click(fmt.Sprintf("[data-format=%s]", format))
	b.waitFor(`window.file`)
	return ask[string](b, `window.file`)
}

// theSavedPage plays its run from a disk, with the network off.
func theSavedPage(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("tr", "light", "story/2"))
	tab.live()
	tab.play("İki kez çekildi!")
	if drawing := tab.saved("svg"); !strings.HasPrefix(drawing, "<svg") || !strings.Contains(drawing, "SIGKILL") {
		t.Errorf("the drawing is %.200s", drawing)
	}
	file := filepath.Join(t.TempDir(), "run.html")
	if err := os.WriteFile(file, []byte(tab.saved("html")), 0o600); err != nil {
		t.Fatal(err)
	}
	reader := p.tab(t)
	reader.base = "file://" // Any request to a server is a fault now.
	reader.visit("file://" + file + "?lang=tr")
	reader.click(".record .primary")
	reader.toTheEnd()
	reader.ends("İki kez çekildi!")
	if !ask[bool](reader, `Boolean(document.querySelector('.row.crash') && document.querySelector('.id.num'))`) {
		t.Error("the saved page shows no crash or no statement")
	}
}

// aFileOfAStranger is opened again as the run it is; what is no run is refused, and nothing of it is markup.
func aFileOfAStranger(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	tab.open(p.address("en", "light", "story/1"))
	tab.live()
	tab.play("Charged twice!")
	var run map[string]any
	if err := json.Unmarshal([]byte(tab.saved("json")), &run); err != nil {
		t.Fatal(err)
	}
	const markup = `<img src=x onerror="window.broken=1">`
	run["id"] = "from-a-file"
	run["strategy"] = markup
	for _, event := range run["events"].([]any) {
		event.(map[string]any)["process"].(map[string]any)["role"] = markup
	}
	for _, line := range run["statement"].(map[string]any)["bank"].(map[string]any)["lines"].([]any) {
		line.(map[string]any)["charge_id"] = markup
	}
	hostile, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	tab.run(give(string(hostile)))
	tab.waitFor(`location.hash.startsWith('#/run/from-a-file')`)
	tab.toTheEnd()
	tab.ends("Charged twice!")
	if ask[bool](tab, `Boolean(window.broken) || document.querySelector('img') !== null`) {
		t.Error("a file put markup into the page")
	}
	tab.run(give(`{"id":1}`))
	tab.waitFor(`document.querySelector('#runs .refusal').textContent.includes('run.json')`)
}

// give hands the page a file, as the person's choice would.
func give(content string) string {
	text, _ := json.Marshal(content)
	return fmt.Sprintf(`(() => { const input = document.querySelector('#run-file'); const all = new DataTransfer();
		all.items.add(new File([%s], 'run.json', { type: 'application/json' })); input.files = all.files;
		input.dispatchEvent(new Event('change')); })()`, text)
}

// markupIsText: what an address says is text.
func markupIsText(t *testing.T, p pageUnderTest) {
	t.Helper()
	tab := p.tab(t)
	for _, hash := range []string{
		"lab?strategy=%3Cimg%20src=x%20onerror=%22window.broken=1%22%3E", "run/%3Cimg%20src=x%3E",
		"lab?fault=%22%3E%3Cscript%3Ewindow.broken=1%3C/script%3E", "lessons/%3Cb%3E/%3Cb%3E",
	} {
		tab.visit(p.address("en", "light", hash))
		if ask[bool](tab, `Boolean(window.broken || document.querySelector('main img, main b, main script'))`) {
			t.Errorf("%s put markup into the page", hash)
		}
	}
	tab.forgive() // A run of that name is not found, and the console says so.
}
