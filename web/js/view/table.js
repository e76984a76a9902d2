import { attr, h, list, reveal, setText } from '../lib/dom.js';
import { since, tail } from '../lib/format.js';
import { Roving } from './roving.js';
import { laneName, say } from './tell.js';

const columns = ['n', 'time', 'from', 'to', 'what', 'id', 'pid'];

/** The same rows as a table, for reading and copying. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountTable(root, app) {
  const body = h('tbody');
  const table = h('table', {}, h('thead', {}, h('tr', {}, ...columns.map((c) => h('th', { scope: 'col', 'data-col': c })))), body);
  const empty = h('p.silent');
  root.append(table, empty);
  const roving = new Roving(body, (index) => app.store.set({ focus: index }));

  let shown = -1;

  app.store.add((state, scene) => {
    root.hidden = state.tab !== 'table' || state.health.phase === 'booting';
    if (root.hidden) { shown = -1; return; }
    const { words } = state;
    attr(root, 'aria-label', words.t('tab.table'));
    for (const th of table.querySelectorAll('th')) setText(th, words.t(`table.${th.dataset.col}`));
    setText(empty, words.t('table.empty'));
    empty.hidden = scene.shown.length > 0;
    list(body, scene.shown, (_, i) => String(i), () => h('tr', {}, ...columns.map((c) => h(`td.${c}`))), (node, row, i) => {
      const { process } = row.event;
      const cells = [
        String(i + 1), since(words.lang, scene.rows[0].event.at, row.event.at), laneName(words, row.from), laneName(words, row.to),
        say(words, row, scene), row.tag ? tail(row.tag) : '', process.pid ? String(process.pid) : '',
      ];
      cells.forEach((cell, c) => setText(node.children[c], cell));
      if (row.tag) attr(node.children[5], 'title', row.tag);
      attr(node, 'aria-current', i === scene.shown.length - 1 ? 'true' : null);
      node.className = `${row.kind}${i === state.focus ? ' focus' : ''}`;
    });
    roving.refresh(scene.shown.length, state.focus);
    const last = body.lastElementChild;
    if (scene.shown.length !== shown && last instanceof HTMLElement) reveal(root, last, 40);
    shown = scene.shown.length;
  });
}
