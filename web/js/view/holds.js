import { h, list, setText } from '../lib/dom.js';
import { marks } from '../model/verdict.js';

/** Where the strategy holds and where it does not: its row of the matrix, as a machine has checked it. Only after a run. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountHolds(root, app) {
  const title = h('summary');
  const after = h('p.after');
  const cells = h('ul');
  root.append(title, after, cells);

  app.store.add(({ words: { t, of } }, { settled, strategy }) => {
    root.hidden = !settled || strategy.cells.length === 0;
    if (root.hidden) {
      root.removeAttribute('open');
      list(cells, [], () => '', () => h('li'));
      setText(after, '');
      return;
    }
    setText(title, t('holds'));
    setText(after, of(strategy.after));
    list(cells, strategy.cells, (cell) => cell.fault, () => h('li', {}, h('span.mark', { 'aria-hidden': 'true' }), h('span'), h('span.reason')), (node, cell) => {
      const right = cell.wrong.length === 0;
      const { dataset } = /** @type {HTMLElement} */ (node);
      dataset.tone = right ? 'ok' : 'bad';
      setText(node.children[0], right ? '✓' : cell.verdict === 'charged-once' ? '!' : marks[cell.verdict] ?? '?');
      setText(node.children[1], `${of(cell.title)}: ${t(right ? 'holds.right' : cell.verdict === 'charged-once' ? 'holds.effect' : `verdict.word.${cell.verdict}`)}`);
      setText(node.children[2], of(cell.reason));
    });
  });
}
