import { attr, h, list, setText } from '../lib/dom.js';
import { since, tail } from '../lib/format.js';
import { sliceOf } from '../model/slice.js';
import { Roving } from './roving.js';
import { laneName, say } from './tell.js';

const columns = ['n', 'time', 'from', 'to', 'what', 'id', 'pid'];

/** The same rows as a table, for reading and copying; of a long one only the part in sight is in the document. @param {HTMLElement} root @param {Pick<import('../app.js').App, 'store'>} app */
export function mountTable(root, { store }) {
  const body = h('tbody');
  const table = h('table', {}, h('thead', {}, h('tr', { 'aria-rowindex': 1 }, ...columns.map((c) => h('th', { scope: 'col', 'data-col': c })))), body);
  const frame = h('div', {}, table);
  const empty = h('p.silent');
  root.append(frame, empty);
  const roving = new Roving(body, (index) => store.set({ focus: index }));
  root.addEventListener('scroll', () => { if (store.rows.length > 150) requestAnimationFrame(() => store.set({})); }, { passive: true });
  let shown = '';

  store.add((state, scene) => {
    root.hidden = state.tab !== 'table' || (state.health.phase === 'booting' && state.run === null);
    if (root.hidden) { shown = ''; return; }
    const { words } = state;
    attr(root, 'aria-label', words.t('tab.table'));
    for (const th of table.querySelectorAll('th')) setText(th, words.t(`table.${th.dataset.col}`));
    setText(empty, words.t('table.empty'));
    empty.hidden = scene.shown.length > 0;
    attr(table, 'aria-rowcount', scene.shown.length + 1);
    root.classList.toggle('long', scene.shown.length > 150);
    const height = body.children[0] instanceof HTMLElement ? body.children[0].offsetHeight : 29;
    const now = `${scene.shown.length}/${state.focus}`;
    if (now !== shown) follow(root, height, state.focus >= 0 ? state.focus : scene.shown.length - 1);
    shown = now;
    const slice = sliceOf({ count: scene.shown.length, height, top: root.scrollTop, view: root.clientHeight });
    frame.style.paddingTop = `${slice.first * height}px`;
    frame.style.paddingBottom = `${(scene.shown.length - slice.last) * height}px`;
    list(body, scene.shown.slice(slice.first, slice.last), (_, n) => String(n + slice.first), () => h('tr', {}, ...columns.map((c) => h(`td.${c}`))),
      (node, row, n) => fill(node, row, n + slice.first, state, scene));
    roving.refresh(scene.shown, scene.shown.length, state.focus);
  });
}

/** @param {Element} node @param {import('../types.js').Row} row @param {number} i @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function fill(node, row, i, { words, focus }, scene) {
  const { process } = row.event;
  const cells = [
    String(i + 1), since(words.lang, scene.rows[0].event.at, row.event.at), laneName(words, row.from), laneName(words, row.to),
    say(words, row, scene), row.tag ? tail(row.tag) : '', process.pid ? String(process.pid) : '',
  ];
  cells.forEach((cell, c) => setText(node.children[c], cell));
  if (row.tag) attr(node.children[5], 'title', row.tag);
  attr(node, 'data-i', i);
  attr(node, 'aria-rowindex', i + 2);
  attr(node, 'aria-current', i === scene.shown.length - 1 ? 'true' : null);
  node.className = `${row.kind}${i === focus ? ' focus' : ''}`;
}

/** @param {HTMLElement} root @param {number} height @param {number} index */
function follow(root, height, index) {
  const head = 40;
  const top = index * height;
  if (top < root.scrollTop) root.scrollTop = top;
  else if (top + height + head > root.scrollTop + root.clientHeight) root.scrollTop = top + height + head - root.clientHeight;
}
