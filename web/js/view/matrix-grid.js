import { attr, h, list, setText, svg } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { step } from '../model/matrix-sheet.js';
import { cellAt, drawCell, makeCell } from './matrix-cell.js';
import { matrixHint } from './matrix-hint.js';

/**
 * The matrix as a table: strategies down, faults across, one tab stop, arrows in both directions.
 *
 * @typedef {import('../model/matrix-sheet.js').Sheet} Sheet
 * @typedef {import('../model/matrix-sheet.js').RowView} RowView
 * @typedef {{press: (strategy: string, fault: string) => void, row: (strategy: string) => void, choose: (strategy: string, fault: string) => void}} Presses
 *
 * @param {HTMLElement} root @param {Presses} on
 */
export function matrixGrid(root, on) {
  const corner = h('th.corner', { scope: 'col', 'data-key': 'corner' });
  const heads = h('tr', {}, corner);
  const table = h('table', { role: 'grid' }, h('thead', { 'data-key': 'head' }, heads));
  root.append(table);
  /** @type {Sheet} */
  let shown = { columns: [], groups: [] };
  const hint = matrixHint(root, (strategy, fault) => rows().find((row) => row.id === strategy)?.cells.find((cell) => cell.fault === fault));
  const rows = () => shown.groups.flat();

  table.addEventListener('click', ({ target }) => {
    const { strategy, fault } = cellAt(target)?.dataset ?? {};
    if (strategy === undefined) return;
    on.choose(strategy, fault ?? '');
    if (fault) on.press(strategy, fault);
    else on.row(strategy);
  });
  table.addEventListener('focusin', ({ target }) => {
    const { strategy, fault } = cellAt(target)?.dataset ?? {};
    if (strategy !== undefined) on.choose(strategy, fault ?? '');
  });
  table.addEventListener('keydown', (event) => {
    const { strategy, fault } = cellAt(event.target)?.dataset ?? {};
    if (strategy === undefined || event.altKey || event.metaKey || event.shiftKey) return;
    const at = { row: rows().findIndex((row) => row.id === strategy), column: shown.columns.findIndex((column) => column.id === fault) + 1 };
    const to = step(event.key, event.ctrlKey, at, { rows: rows().length, columns: shown.columns.length });
    if (!to) return;
    event.preventDefault();
    find(rows()[to.row].id, shown.columns[to.column - 1]?.id ?? '')?.focus();
  });

  /** @param {string} strategy @param {string} fault @returns {HTMLElement|undefined} */
  const find = (strategy, fault) => /** @type {HTMLElement[]} */ ([...table.querySelectorAll('[data-strategy]')])
    .find((node) => node.dataset.strategy === strategy && (node.dataset.fault ?? '') === fault);

  /** @param {Sheet} sheet @param {{strategy: string, fault: string}} chosen @param {boolean} idle @param {import('../lib/i18n.js').Words} words */
  return (sheet, chosen, idle, { t }) => {
    shown = sheet;
    attr(table, 'aria-label', t('view.matrix'));
    setText(corner, t('strategy'));
    const titles = [{ id: '', title: '' }, ...sheet.columns];
    list(heads, titles, (column) => column.id || 'corner', () => h('th', { scope: 'col' }, h('span')), (node, column) => {
      if (column.id) setText(node.children[0], column.title);
    });
    list(table, [null, ...sheet.groups], (group) => (group ? group[0].id : 'head'), () => h('tbody'), (body, group) => {
      if (group) list(body, group, (row) => row.id, makeRow, (node, row) => drawRow(node, row, idle, t('matrix.na')));
    });
    const stop = find(chosen.strategy, chosen.fault) ?? table.querySelector('tbody [data-fault]');
    for (const node of table.querySelectorAll('[data-strategy]')) attr(node, 'tabindex', node === stop ? '0' : '-1');
    hint.draw();
  };
}

/** @param {RowView} row */
const makeRow = (row) => h('tr', {}, h('th', { scope: 'row', 'data-key': 'head' }, h('span.name'), h('button.square', {
  type: 'button', 'data-strategy': row.id,
}, icon('play'), eye(), h('span.vh'))));

/** Uncovers a row. */
const eye = () => svg('svg', { class: 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true', focusable: 'false' }, svg('path', {
  d: 'M1.5 10C4 5.5 7 4 10 4s6 1.5 8.5 6c-2.5 4.5-5.5 6-8.5 6s-6-1.5-8.5-6M10 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
}));

/** @param {Element} node @param {RowView} row @param {boolean} idle @param {string} none */
function drawRow(node, row, idle, none) {
  const [name, button] = node.children[0].children;
  setText(name, row.title);
  setText(button.children[2], row.action);
  attr(button, 'title', row.action);
  attr(button, 'data-covered', row.covered);
  attr(button, 'aria-disabled', idle || row.covered ? null : 'true');
  list(node, [null, ...row.cells], (cell) => cell?.fault ?? 'head', (cell) => h('td', {}, cell && makeCell(cell)), (td, cell) => {
    if (cell) drawCell(td.children[0], cell, none);
  });
}
