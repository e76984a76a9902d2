import { attr, h, setText } from '../lib/dom.js';
import { cellAt, drawWords } from './matrix-cell.js';

/**
 * Beside the cell that has the pointer or the focus: what it says, and why. Escape closes it.
 *
 * @param {HTMLElement} root @param {(strategy: string, fault: string) => import('../model/matrix-sheet.js').CellView|undefined} find
 */
export function matrixHint(root, find) {
  const title = h('strong');
  const words = h('p');
  const box = h('div.popover.hint', { popover: 'manual', role: 'tooltip', id: 'matrix-hint' }, title, words);
  root.append(box);
  /** @type {HTMLElement|null} */
  let anchor = null;

  /** @param {HTMLElement|null} node */
  function show(node) {
    if (anchor && anchor !== node) attr(anchor, 'aria-describedby', null);
    anchor = node?.dataset.fault ? node : null;
    draw();
  }

  function draw() {
    const cell = anchor?.isConnected ? find(anchor.dataset.strategy ?? '', anchor.dataset.fault ?? '') : undefined;
    if (!anchor || !cell) {
      if (box.matches(':popover-open')) box.hidePopover();
      return;
    }
    setText(title, `${cell.row} · ${cell.title}`);
    drawWords(words, cell);
    attr(anchor, 'aria-describedby', cell.reason || cell.notes.length > 0 ? box.id : null);
    if (!box.matches(':popover-open')) box.showPopover();
    beside(box, anchor);
  }

  root.addEventListener('focusin', ({ target }) => { if (target instanceof Element && target.matches(':focus-visible')) show(cellAt(target)); });
  root.addEventListener('focusout', () => show(null));
  root.addEventListener('pointerover', ({ target, pointerType }) => { if (pointerType === 'mouse') show(cellAt(target)); });
  root.addEventListener('pointerleave', () => show(null));
  root.addEventListener('scroll', () => draw(), { passive: true });
  document.addEventListener('keydown', ({ key }) => { if (key === 'Escape') show(null); });
  return { draw };
}

/** Below the cell, or above it where there is no room; never over it. @param {HTMLElement} box @param {HTMLElement} anchor */
function beside(box, anchor) {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const below = bottom + 6;
  const fits = below + box.offsetHeight <= innerHeight - 8;
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${fits ? below : Math.max(8, top - box.offsetHeight - 6)}px`;
}
