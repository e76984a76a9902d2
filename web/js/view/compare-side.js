import { attr, h, list, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { strategyOf } from '../model/catalogue.js';
import { chargesIn, lanes, livesOf } from '../model/compare.js';
import { laneX, lifelines } from '../model/lifelines.js';
import { drawRow } from './arrow.js';
import { fitLabels } from './fit.js';
import { blank, drawItem } from './item.js';
import { laneName, verdictWords } from './tell.js';

/**
 * One of the two: its verdict, its charges, and its rows up to the playhead.
 *
 * @typedef {import('./compare.js').Own} Own
 * @param {HTMLElement} root @param {'a'|'b'} side @param {() => void} resized
 */
export function compareSide(root, side, resized) {
  const title = h('h3');
  const idea = h('p.idea');
  const verdict = h('p.says', {}, h('span.mark', { 'aria-hidden': 'true' }), h('strong'), h('span.num'));
  const charges = h('p.charges.num');
  const open = h('a.plain');
  const heads = h('div.lanes', { 'aria-hidden': 'true' });
  const rows = h('ol.rows');
  const silent = h('p.silent');
  root.append(h('div.compare-top', {}, h('div.compare-head', {}, title, idea, h('div.result', {}, verdict, h('div.beside', {}, charges, open))), heads), rows, silent);
  let width = 0;
  new ResizeObserver(() => {
    if (root.clientWidth === width || root.clientWidth === 0) return;
    width = root.clientWidth;
    resized();
  }).observe(root);

  /** @param {Own} own @param {number} at @param {import('../store.js').State} state */
  return (own, at, state) => {
    const { words, strategies } = state;
    const { t, of } = words;
    const strategy = strategyOf(strategies, own.pair[side]);
    const scene = own.scenes?.[side] ?? null;
    attr(root, 'data-side', side);
    attr(root, 'aria-label', of(strategy.title));
    attr(rows, 'aria-label', of(strategy.title));
    setText(title, of(strategy.title));
    setText(idea, of(strategy.summary));
    setText(open, t('compare.open'));
    open.hidden = !scene || at < own.lines.length;
    attr(open, 'href', scene?.id ? `#/run/${scene.id}` : null);
    drawResult(verdict, charges, side, own, at, words);
    setText(silent, scene ? '' : t(own.phase === 'running' ? 'compare.silent.running' : 'compare.silent'));
    silent.hidden = scene !== null;
    if (width > 0) drawRows(heads, rows, { side, own, at, state, width });
  };
}

/** Nothing is told before the playhead has come to the end. @param {HTMLElement} verdict @param {HTMLElement} charges @param {'a'|'b'} side @param {Own} own @param {number} at @param {import('../lib/i18n.js').Words} words */
function drawResult(verdict, charges, side, { scenes, lines }, at, words) {
  const scene = scenes?.[side] ?? null;
  const over = scene !== null && at >= lines.length;
  const told = over ? verdictWords(words, scene) : null;
  attr(verdict, 'data-tone', over ? scene.headline?.tone ?? 'idle' : 'idle');
  const [mark, what, more] = verdict.children;
  setText(mark, over ? scene.headline?.icon ?? '' : '');
  setText(what, told ? told.title : words.t(scene ? 'verdict.pending' : 'verdict.ready'));
  setText(more, told ? told.sub : '');
  const n = over ? scene.verdict?.charges ?? 0 : chargesIn(lines.slice(0, at).map((line) => line[side]));
  setText(charges, scene ? words.t('compare.charges', { n }) : '');
}

/** @param {HTMLElement} heads @param {HTMLElement} rows @param {{side: 'a'|'b', own: Own, at: number, state: import('../store.js').State, width: number}} what */
function drawRows(heads, rows, { side, own, at, state, width }) {
  const { words } = state;
  const xs = laneX(lanes.length, width);
  const places = Object.fromEntries(lanes.map(({ id }, i) => [id, xs[i]]));
  list(heads, lanes, ({ id }) => id, ({ id }) => h('span.lane', {}, icon(id), h('span')), (node, { id }, i) => {
    setText(node.children[1], laneName(words, id));
    /** @type {HTMLElement} */ (node).style.left = `${xs[i]}px`;
  });
  const scene = own.scenes?.[side];
  if (!scene) return void rows.replaceChildren();
  const mine = own.lines.map((line) => line[side]);
  rows.classList.toggle('dense', mine.length > 12);
  const lives = livesOf(mine, lifelines(mine.flatMap((row) => row ?? []), lanes));
  /** @type {import('./fit.js').Label[]} */ const labels = [];
  list(rows, mine.slice(0, at), (_, i) => String(i), blank, (node, row, i) => {
    attr(node, 'aria-current', i === at - 1 ? 'true' : null);
    attr(node, 'aria-hidden', row ? null : 'true');
    const drawn = `${scene.id} ${width} ${words.lang}`;
    const item = /** @type {HTMLElement} */ (node);
    if (item.dataset.drawn === drawn) return;
    item.dataset.drawn = drawn;
    const life = lanes.map(({ id }) => lives[i][id]);
    const { kind = 'none', from = 'worker', to = 'worker' } = row ?? {};
    if (!row) return drawGap(item, life, xs, width);
    labels.push(drawItem(item, { row, kind, from, to, key: '', points: [], marked: false }, i, { state, scene, xs, at: places, life, width }));
  });
  fitLabels(labels);
}

/** A step that only the other side has: the lifelines go on. @param {HTMLElement} node @param {any[]} lives @param {number[]} xs @param {number} width */
function drawGap(node, lives, xs, width) {
  node.className = 'row none';
  node.querySelector('.picture')?.replaceChildren(drawRow({ kind: 'none', from: xs[1], to: xs[1], ghost: false, lives }, xs, width));
}
