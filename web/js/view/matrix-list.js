import { attr, h, list, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { cellAt, drawCell, drawWords, makeCell } from './matrix-cell.js';

/**
 * The matrix on a phone: one strategy is chosen, its faults stand below each other.
 *
 * @param {HTMLElement} root
 * @param {import('./matrix-grid.js').Presses & {run: (strategy: string, fault: string) => void}} on
 */
export function matrixList(root, on) {
  const select = /** @type {HTMLSelectElement} */ (h('select', { onchange: () => on.choose(select.value, '') }));
  const label = h('span');
  const row = h('button.second', { type: 'button', onclick: () => on.row(select.value) });
  const faults = h('ol');
  root.append(h('label', {}, label, select), row, faults);
  faults.addEventListener('click', ({ target }) => {
    const node = cellAt(target);
    const { strategy, fault } = node?.dataset ?? {};
    if (strategy === undefined || !fault) return;
    if (node?.matches('.again')) on.run(strategy, fault);
    else on.press(strategy, fault);
  });

  /** @param {import('../model/matrix-sheet.js').Sheet} sheet @param {{strategy: string}} chosen @param {boolean} idle @param {import('../lib/i18n.js').Words} words */
  return (sheet, chosen, idle, { t }) => {
    const rows = sheet.groups.flat();
    const shown = rows.find(({ id }) => id === chosen.strategy) ?? rows[0];
    if (!shown) return;
    setText(label, t('strategy'));
    list(select, rows, ({ id }) => id, ({ id }) => h('option', { value: id }), (option, { title }) => setText(option, title));
    select.value = shown.id;
    setText(row, t(shown.covered ? 'matrix.uncover' : 'matrix.run.these'));
    attr(row, 'aria-disabled', idle || shown.covered ? null : 'true');
    list(faults, shown.cells, (cell) => `${cell.strategy} ${cell.fault}`, (cell) => h(
      'li', {}, makeCell(cell), h('div', {}, h('strong'), h('p')),
      h('button.square.again', { type: 'button', 'data-strategy': cell.strategy, 'data-fault': cell.fault }, icon('again'), h('span.vh')),
    ), (node, cell) => {
      const [button, text, again] = node.children;
      drawCell(button, cell, t('matrix.na'));
      setText(text.children[0], cell.title);
      drawWords(text.children[1], cell);
      again.toggleAttribute('hidden', cell.face.press !== 'open');
      attr(again, 'aria-disabled', idle ? null : 'true');
      setText(again.children[1], t('matrix.again', { fault: cell.title }));
    });
  };
}
