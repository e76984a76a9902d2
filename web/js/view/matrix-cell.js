import { attr, h, list, setText } from '../lib/dom.js';
import { faceText } from '../model/matrix-sheet.js';

/** @typedef {import('../model/matrix-sheet.js').CellView} CellView */

/** A cell that can be pressed. @param {CellView} cell */
export const makeCell = (cell) => h('button.cell', {
  type: 'button', 'data-strategy': cell.strategy, 'data-fault': cell.fault,
}, h('span.face', { 'aria-hidden': 'true' }), h('span.vh'));

/** @param {Element} node @param {CellView} cell @param {string} none  what stands where the fault does not apply */
export function drawCell(node, cell, none) {
  attr(node, 'data-tone', cell.face.tone);
  attr(node, 'data-differs', cell.face.differs);
  attr(node, 'aria-disabled', cell.face.press === '' ? 'true' : null);
  setText(node.children[0], faceText(cell.face, none));
  setText(node.children[1], cell.name);
}

/** The words of a cell that a look at it wants: what it says, why, and what a press does. @param {Element} box @param {CellView} cell */
export function drawWords(box, cell) {
  const lines = [{ kind: 'says', text: cell.says }, { kind: 'reason', text: cell.reason }, ...cell.notes.map((text, i) => ({ kind: `note${i}`, text }))];
  list(box, lines.filter((line) => line.text !== ''), (line) => line.kind, (line) => h(`span.${line.kind.replace(/\d/, '')}`), (node, line) => setText(node, line.text));
}

/** The cell that an event is about. @param {EventTarget|null} target @returns {HTMLElement|null} */
export function cellAt(target) {
  const node = target instanceof Element ? target.closest('[data-strategy]') : null;
  return node instanceof HTMLElement ? node : null;
}
