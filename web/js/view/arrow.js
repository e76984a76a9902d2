import { svg } from '../lib/dom.js';

/**
 * One row as lines: lifelines, the arrow of its kind, a cross for a crash. Only lines; words are HTML above them.
 *
 * @typedef {import('../model/lifelines.js').Lives[string]} Life
 * @typedef {{kind: string, from: number, to: number, ghost: boolean, lost?: boolean, lives: Life[]}} Drawing
 */

export const height = 28;
const line = 21;

const answers = new Set(['charged', 'declined', 'accepted', 'refused', 'sameOrder', 'unknown', 'found', 'notfound']);

/** @param {Drawing} drawing @param {number[]} xs @param {number} width */
export function drawRow(drawing, xs, width) {
  const node = svg('svg', { class: 'lines', width, height, 'aria-hidden': 'true', focusable: 'false' });
  xs.forEach((x, i) => node.append(...lifeline(x, drawing.lives[i], drawing.ghost)));
  const { from, to, kind } = drawing;
  if (from !== to) node.append(...arrow(drawing));
  else if (kind === 'crash' || kind === 'armed') node.append(cross(from, kind));
  else if (kind === 'start') node.append(svg('circle', { class: 'start', cx: from, cy: 14, r: 6 }));
  else node.append(svg('circle', { class: 'spot', cx: from, cy: 14, r: 5 }));
  return node;
}

/** @param {number} x @param {Life|undefined} life @param {boolean} ghost */
function lifeline(x, life, ghost) {
  if (ghost || !life) return [svg('line', { class: 'life ghost', x1: x, x2: x, y1: 0, y2: height })];
  return [['top', 0, height / 2], ['bottom', height / 2, height]].flatMap(([half, y1, y2]) => {
    const state = life[/** @type {'top'|'bottom'} */ (half)];
    return state === 'off' ? [] : [svg('line', { class: `life ${state}`, x1: x, x2: x, y1, y2 })];
  });
}

/** @param {Drawing} drawing */
function arrow({ kind, from, to, ghost, lost: cut }) {
  const way = Math.sign(to - from);
  const begin = from + way * 4;
  const lost = kind === 'unknown' || cut;
  const end = lost ? from + (to - from) * 0.6 : to - way * 3;
  const answer = answers.has(kind) || kind === 'replayed';
  const lines = kind === 'replayed' && !ghost ? [line - 2, line + 1.5] : [line];
  const shaft = lines.map((y) => svg('line', {
    class: 'shaft', x1: begin, x2: end - way * (answer ? 0 : 6), y1: y, y2: y, ...(ghost ? {} : { pathLength: 1 }),
  }));
  const head = lost
    ? svg('path', { class: 'broken', d: `M${end} ${line - 7}l${way * 4} 5 ${-way * 4} 4 ${way * 4} 5` })
    : answer
      ? svg('path', { class: 'head open', d: `M${end - way * 8} ${line - 5}L${end} ${line}L${end - way * 8} ${line + 5}` })
      : svg('path', { class: 'head', d: `M${end - way * 9} ${line - 5}L${end} ${line}L${end - way * 9} ${line + 5}z` });
  return [...shaft, head];
}

/** @param {number} x @param {string} kind */
function cross(x, kind) {
  const y = height / 2;
  return svg('path', { class: kind === 'armed' ? 'cross armed' : 'cross', d: `M${x - 8} ${y - 8}l16 16M${x + 8} ${y - 8}l-16 16` });
}
