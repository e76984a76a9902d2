import { attr, h, list, reveal, setText } from '../lib/dom.js';
import { stepOf } from '../model/held.js';
import { linesOf } from '../model/source.js';

/** The real Go source of the strategy, the running line lit; a press on a step's line puts the crash there. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountCode(root, app) {
  const title = h('p.file', { lang: 'en', translate: 'no' });
  const note = h('p.note');
  const body = h('ol.source', { lang: 'en', translate: 'no' });
  const scroller = h('div.scroller', { tabindex: '0', role: 'region' }, body);
  root.append(title, scroller, note);
  let drawn = '';
  let lit = 0;

  app.store.add((state, scene) => {
    const shown = state.left === 'code' || state.route.present;
    root.hidden = !shown;
    if (!shown) return;
    const { t } = state.words;
    const { strategy } = scene;
    setText(title, `worker/strategy/${strategy.id.replaceAll('-', '_')}.go`);
    attr(scroller, 'aria-label', t('code.label'));
    const look = `${strategy.id}/${strategy.source.length}/${scene.settled}/${state.words.lang}`;
    const fresh = drawn !== look;
    if (fresh) drawLines(body, linesOf(strategy.source, scene.settled), t('code.folded'));
    drawn = look;
    const step = stepOf(scene.shown.at(-1));
    const now = strategy.lines[step] ?? 0;
    const armed = state.run ? 0 : strategy.lines[scene.setup.fault?.point ?? ''] ?? 0;
    for (const node of body.children) {
      const n = Number(/** @type {HTMLElement} */ (node).dataset.n);
      attr(node, 'aria-current', n === now ? 'true' : null);
      node.classList.toggle('armed', n === armed);
      node.classList.toggle('crashed', scene.shown.some((row) => row.kind === 'crash' && strategy.lines[String(row.params.point)] === n));
    }
    setText(note, now ? t('code.now', { step }) : t('code.idle'));
    const line = ['[aria-current]', '.armed', '.crashed', `[data-n="${firstLine(strategy)}"]`].map((which) => body.querySelector(which)).find(Boolean);
    if (line instanceof HTMLElement && (fresh || (now !== lit && now > 0))) reveal(scroller, line, fresh ? scroller.clientHeight / 3 : 64);
    lit = now;
  });
}

/** Where the strategy's steps begin: what stands above it is said in its comment. @param {import('../types.js').Strategy} strategy */
const firstLine = ({ lines }) => Math.min(...Object.values(lines));

/** @param {HTMLElement} body @param {import('../model/source.js').Line[]} lines @param {string} folded */
function drawLines(body, lines, folded) {
  body.replaceChildren();
  list(body, lines, (line) => String(line.n), (line) => h(`li.${line.kind}`, { 'data-n': line.n, value: line.n }), (node, line) => {
    const row = h('code', {}, ...(line.kind === 'fold' ? [folded] : line.words.map(({ text, kind }) => (kind ? h(`span.t-${kind}`, {}, text) : text))));
    node.replaceChildren(h('span.gutter', { 'aria-hidden': 'true', 'data-n': line.n }), row);
  });
}
