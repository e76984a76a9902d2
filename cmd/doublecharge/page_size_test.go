package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// firstLoad is what the first view may take off the wire, in bytes.
const firstLoad = 150_000

// theWeight of the first view, as it comes over the wire.
func theWeight(t *testing.T, p pageUnderTest) {
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
	var last *tab
	for range 7 {
		last = p.tab(t)
		last.open(p.address("en", "light", "story/1"))
	}
	last.play("Charged twice!")
}

// theLayout: at 1280 × 720 the page does not scroll, and no label is clipped, in both languages.
func theLayout(t *testing.T, p pageUnderTest) {
	for _, lang := range []string{"en", "tr"} {
		tab := p.tab(t)
		for _, hash := range []string{"story/1", "story/4", "lab?strategy=hybrid&fault=stripe.charged_then_500&skip=1", "story/1?present=1"} {
			tab.open(p.address(lang, "light", hash))
			tab.checkNothingIsClipped(hash)
			if hash == "story/1" {
				tab.do(chromedp.Click(chromedp.CSS(`.pay`)))
				tab.waitFor(`!document.querySelector('#next').hidden`)
				tab.checkNothingIsClipped(hash + ", finished")
			}
		}
	}
}

// clipped lists what is wider or higher than the box that cuts it off, and scrolls of the page.
const clipped = `(() => {
	const wrong = [];
	const root = document.documentElement;
	if (root.scrollHeight > root.clientHeight + 1 || root.scrollWidth > root.clientWidth + 1) {
		wrong.push('the page scrolls: ' + root.scrollWidth + ' x ' + root.scrollHeight);
	}
	for (const node of document.querySelectorAll('button, a, label, p, span, td, th, h1, h2, h3, dt, dd, legend, summary, li, strong')) {
		const box = node.getBoundingClientRect();
		if (!box.width || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || node.closest('.vh, .say, [popover]')) continue;
		const style = getComputedStyle(node);
		const cuts = style.overflowX === 'hidden' || style.overflowX === 'clip' || style.textOverflow === 'ellipsis';
		if (cuts && node.scrollWidth > node.clientWidth + 1) wrong.push(node.tagName + '.' + node.className + ': ' + node.textContent.trim().slice(0, 60));
		const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
		if (own && (box.left < -1 || box.right > root.clientWidth + 1)) wrong.push('outside: ' + node.textContent.trim().slice(0, 60));
	}
	for (const label of document.querySelectorAll('.rows .label')) {
		const box = label.getBoundingClientRect();
		const frame = label.closest('.scroll')?.getBoundingClientRect();
		if (frame && box.width && (box.left < frame.left || box.right > frame.right + 1)) wrong.push('diagram: ' + label.textContent);
	}
	for (const select of document.querySelectorAll('select')) {
		if (!select.checkVisibility()) continue;
		const ruler = document.createElement('span');
		ruler.style.font = getComputedStyle(select).font;
		ruler.style.position = 'absolute';
		ruler.textContent = select.selectedOptions[0]?.textContent ?? '';
		document.body.append(ruler);
		if (ruler.offsetWidth + 28 > select.clientWidth) wrong.push('select: ' + ruler.textContent);
		ruler.remove();
	}
	return wrong;
})()`

func (b *tab) checkNothingIsClipped(where string) {
	b.t.Helper()
	for _, wrong := range ask[[]string](b, clipped) {
		b.t.Errorf("%s: %s", where, wrong)
	}
}

// aLongRun of 2,000 events stays smooth: the test prints how long frames take while it plays and scrolls.
func aLongRun(t *testing.T, p pageUnderTest) {
	tab := p.tab(t)
	tab.open(p.address("en", "light", "story/1"))
	tab.play("Charged twice!")
	tab.run(`(async () => {
		const kept = await (await fetch('lab/runs/' + new URLSearchParams(location.hash.split('?')[1]).get('run'))).json();
		const events = [];
		for (let n = 0; events.length < 2000; n += 1) {
			for (const event of kept.events) events.push({ ...event, id: events.length + 1 });
		}
		window.long = JSON.stringify({ ...kept, id: 'long', events });
	})()`)
	tab.waitFor(`window.long`)
	tab.run(give(ask[string](tab, `window.long`)))
	tab.waitFor(`location.hash.startsWith('#/run/long')`)
	tab.click(".transport [data-name=last]")
	tab.ends("Charged twice!")
	if rows := ask[int](tab, `document.querySelectorAll('.rows .row').length`); rows == 0 || rows > 150 {
		t.Errorf("%d rows are in the document", rows)
	}
	tab.run(`(() => {
		window.frames2 = []; let last = performance.now(); let n = 0;
		const scroll = document.querySelector('.scroll');
		const slider = document.querySelector('.transport input');
		const frame = (now) => {
			window.frames2.push(now - last); last = now; n += 1;
			if (n % 2) scroll.scrollTop = (n * 97) % scroll.scrollHeight;
			else { slider.value = String((n * 5) % Number(slider.max)); slider.dispatchEvent(new Event('input')); }
			if (n < 240) requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
	})()`)
	tab.waitFor(`window.frames2.length >= 240`)
	times := ask[[]float64](tab, `window.frames2`)
	slices.Sort(times)
	at := func(part float64) string { return fmt.Sprintf("%.1f ms", times[int(part*float64(len(times)-1))]) }
	t.Logf("frames with 2,000 events: half within %s, 95 of 100 within %s, the longest %s", at(0.5), at(0.95), at(1))
}
