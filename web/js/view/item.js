import { find, h, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { shortTail } from '../lib/format.js';
import { drawRow } from './arrow.js';
import { faultWords, label, paramsOf, say, where } from './tell.js';

/**
 * One row of the diagram: lines, the words on them, and the same as a sentence.
 *
 * @typedef {import('../types.js').Row} Row
 * @typedef {{row: Row|null, kind: string, from: string, to: string, key: string, points: string[], marked: boolean}} Item
 * @typedef {{state: import('../store.js').State, scene: import('../store.js').Scene, xs: number[], at: Record<string, number>,
 *   life: any[], width: number}} Place
 */

export const blank = () => h('li.row', {}, h('span.n.num', { 'aria-hidden': 'true' }), h('div.picture'),
  h('div.label', { 'aria-hidden': 'true' }), h('p.say', {}, h('span.vh'), h('span.who'), h('span')));

/** @param {import('../store.js').Scene} scene @returns {Item[]} */
export function itemsOf(scene) {
  const items = scene.shown.map((row, i) => /** @type {Item} */ ({
    row, kind: row.kind, from: row.from, to: row.to, key: `row${i}`, points: pointsOf(row), marked: false,
  }));
  scene.ghosts.forEach((ghost, i) => {
    const marked = i === scene.marked;
    items.push({ row: null, ...ghost, key: `ghost${scene.ghosts.length - i}/${ghost.kind}`, marked });
    if (!marked) return;
    const lane = ghost.points.some((p) => p.startsWith('worker.')) ? 'worker' : ghost.from;
    items.push({ row: null, kind: 'armed', from: lane, to: lane, key: `armed${scene.setup.fault?.action}`, points: ghost.points, marked: false });
  });
  return items;
}

/** Where a fault can be put at this row. @param {Row} row */
const pointsOf = (row) => [...new Set(row.events.map((event) => event.step)
  .filter((step) => /^(api|relay|worker|mail)\./.test(step) && step !== 'worker.settled'))];

/**
 * Draws a row; its label is to be fitted when all of them are drawn.
 * @param {HTMLElement} node @param {Item} item @param {number} i @param {Place} where @returns {import('./fit.js').Label}
 */
export function drawItem(node, item, i, { state, scene, xs, at, life, width }) {
  const { kind, row } = item;
  node.className = `row ${kind}${row === null ? ' ghost' : ''}`;
  const from = at[item.from] ?? xs[0];
  const to = at[item.to] ?? from;
  const lost = Boolean(row?.params.lost);
  find('.picture', node).replaceChildren(drawRow({ kind, from, to, ghost: row === null, lost, lives: life }, xs, width));
  const n = find('.n', node);
  n.replaceChildren(...(kind === 'armed' ? [icon('bolt')] : []));
  if (row) setText(n, String(i + 1));
  const text = find('.label', node);
  text.replaceChildren(...labelNodes(item, state, scene));
  text.classList.toggle('local', from === to);
  tell(node, item, i, state, scene);
  const key = `row.${kind}.short`;
  const { words } = state;
  return { text, from, to, width, short: words.has(key) ? words.t(key, row ? paramsOf(words, row, scene) : {}) : '' };
}

/** The row as a sentence. @param {HTMLElement} node @param {Item} item @param {number} i @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function tell(node, { row, kind }, i, { words }, scene) {
  const [place, who, what] = find('.say', node).children;
  setText(place, row ? `${where(words, row, i + 1)} ` : '');
  who.replaceChildren(...(row ? [icon(row.from.replace(/\d+$/, ''))] : []));
  setText(what, row ? say(words, row, scene) : ghostWords({ kind }, { words }, scene));
}

/** @param {Pick<Item, 'kind'>} item @param {Pick<import('../store.js').State, 'words'>} state @param {import('../store.js').Scene} scene */
export function ghostWords({ kind }, { words }, scene) {
  const ghost = words.t(`ghost.${kind}`, faultWords(words, scene.setup.fault));
  return kind === 'armed' ? ghost : words.t('ghost.row', { what: ghost });
}

/** @param {Item} item @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function labelNodes({ row, kind }, { words }, scene) {
  if (!row) return [h('span', {}, words.t(`ghost.${kind}`, faultWords(words, scene.setup.fault)))];
  const text = label(words, row, scene);
  const { tag } = row;
  if (!tag || row.tagKind === 'charge') return [h('span', { 'data-tag': tag }, text)];
  return [h('span', {}, text), h(`span.tag.${row.tagKind}`, { lang: 'en', translate: 'no', 'data-tag': tag }, shortTail(tag))];
}
