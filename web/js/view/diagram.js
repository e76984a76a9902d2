import { attr, find, h, list, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { laneX, lifelines } from '../model/lifelines.js';
import { sliceOf } from '../model/slice.js';
import { barsOf } from '../model/window.js';
import { fitLabels } from './fit.js';
import { blank, drawItem, itemsOf } from './item.js';
import { Roving } from './roving.js';
import { laneName } from './tell.js';

/**
 * The sequence diagram: an ordered list whose items are drawn rows on a wide screen and sentences on a phone. Of a
 * long list only the part in sight is in the document.
 *
 * @param {HTMLElement} root @param {Pick<import('../app.js').App, 'store'>} app  its store is all that is read
 * @param {(item: import('./item.js').Item, node: HTMLElement) => void} [pressed]  a row that had the focus already
 */
export function mountDiagram(root, { store }, pressed = () => undefined) {
  const heads = h('div.lanes', { 'aria-hidden': 'true' });
  const rows = h('ol.rows');
  const bars = h('div.bars', { 'aria-hidden': 'true' });
  const body = h('div.body', {}, bars, rows);
  const scroll = h('div.scroll', {}, heads, body);
  root.append(scroll);
  /** @type {import('./item.js').Item[]} */ let items = [];
  const roving = new Roving(rows, (index) => store.set({ focus: index }), (index, node) => pressed(items[index], node));
  const size = watchSize(scroll, () => store.set({}));
  scroll.addEventListener('scroll', () => { if (items.length > 150) requestAnimationFrame(() => store.set({})); }, { passive: true });
  let place = '';

  store.add((state, scene) => {
    root.hidden = state.tab !== 'diagram' || state.health.phase === 'booting' && state.run === null;
    if (root.hidden) { place = ''; return; }
    const width = size.width || 640;
    const xs = laneX(scene.lanes.length, width);
    const at = Object.fromEntries(scene.lanes.map((lane, i) => [lane.id, xs[i]]));
    at.worker ??= at[scene.lanes.find((lane) => lane.name === 'worker')?.id ?? ''];
    drawHeads(heads, state, scene, xs);
    items = itemsOf(scene);
    rows.classList.toggle('dense', items.length > 13);
    const height = heightOf(rows);
    const now = `${scene.shown.length}/${items.length}/${state.focus}/${width}/${scroll.clientHeight}`;
    if (now !== place) follow(scroll, height, state.focus >= 0 ? state.focus : scene.shown.length - 1);
    place = now;
    const slice = sliceOf({ count: items.length, height, top: scroll.scrollTop, view: scroll.clientHeight });
    body.style.paddingTop = `${slice.first * height}px`;
    // With a row of nothing below a long list, what is scrolled away is whole rows.
    const spare = items.length * height > scroll.clientHeight - heads.offsetHeight ? height : 0;
    body.style.paddingBottom = `${(items.length - slice.last) * height + spare}px`;
    const lives = lifelines(scene.shown, scene.lanes);
    const look = `${width}/${state.words.lang}/${scene.lanes.map((l) => l.id)}/${height}`;
    /** @type {import('./fit.js').Label[]} */ const drawn = [];
    list(rows, items.slice(slice.first, slice.last), (item) => item.key, blank, (node, item, n) => {
      const i = n + slice.first;
      mark(/** @type {HTMLElement} */ (node), item, i, state, scene);
      const life = scene.lanes.map((lane) => lives[i]?.[lane.id]);
      const label = draw(/** @type {HTMLElement} */ (node), item, i, look, { state, scene, xs, at, life, width });
      if (label) drawn.push(label);
    });
    fitLabels(drawn);
    drawBars(bars, scene, at, height);
    roving.refresh(items, scene.shown.length, state.focus);
  });
}

/** @param {HTMLElement} scroll @param {() => void} changed */
function watchSize(scroll, changed) {
  const size = { width: 0, height: 0 };
  new ResizeObserver(() => {
    const width = Math.floor(scroll.clientWidth);
    if (width === 0 || (width === size.width && scroll.clientHeight === size.height)) return;
    Object.assign(size, { width, height: scroll.clientHeight });
    changed();
  }).observe(scroll);
  return size;
}

/** Rows are all of one height. @param {HTMLElement} rows */
const heightOf = (rows) => (rows.firstElementChild instanceof HTMLElement && rows.firstElementChild.offsetHeight) || 28;

/** @param {HTMLElement} node @param {import('./item.js').Item} item @param {number} i @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function mark(node, item, i, state, scene) {
  const current = i === scene.shown.length - 1;
  attr(node, 'data-i', i);
  attr(node, 'aria-posinset', i + 1);
  attr(node, 'aria-setsize', scene.rows.length || null);
  attr(node, 'aria-current', current ? 'true' : null);
  node.classList.toggle('focus', i === state.focus);
  node.classList.toggle('held', current && scene.held.length > 0);
  if (i < scene.shown.length - 1) node.classList.remove('new');
  for (const tag of node.querySelectorAll('[data-tag]')) tag.classList.toggle('same', state.tag !== '' && tag.getAttribute('data-tag') === state.tag);
}

/** @param {HTMLElement} node @param {import('./item.js').Item} item @param {number} i @param {string} look @param {import('./item.js').Place} place */
function draw(node, item, i, look, place) {
  const { state, scene } = place;
  const drawn = `${look}/${item.kind}/${item.marked}/${item.row?.events.length}/${item.row?.params.lost}`;
  if (node.dataset.drawn === drawn) return null;
  const fresh = node.dataset.drawn === undefined && i === scene.shown.length - 1;
  node.dataset.drawn = drawn;
  const label = drawItem(node, item, i, place);
  mark(node, item, i, state, scene);
  node.classList.toggle('new', fresh && state.head.playing);
  return label;
}

/** The stretch in which a crash does harm, on the lifeline of the worker; only when the run is over. @param {HTMLElement} bars @param {import('../store.js').Scene} scene @param {Record<string, number>} at @param {number} height */
function drawBars(bars, scene, at, height) {
  const found = scene.settled ? barsOf(scene.rows, scene.strategy.windows) : [];
  list(bars, found, (bar) => `${bar.from}/${bar.to}`, () => h('div.bar'), (node, bar) => {
    const { style, classList } = /** @type {HTMLElement} */ (node);
    classList.toggle('loses', bar.loses);
    style.left = `${(at[bar.lane] ?? at.worker) - 6}px`;
    style.top = `${bar.from * height + height * 0.75}px`;
    style.height = `${Math.max(6, (bar.to - bar.from) * height - height * 0.25)}px`;
  });
}

/** @param {HTMLElement} heads @param {import('../store.js').State} state @param {import('../store.js').Scene} scene @param {number[]} xs */
function drawHeads(heads, { words, health }, scene, xs) {
  const missing = new Set(health.phase === 'missing' ? health.parts.filter((p) => !p.ready).map((p) => p.name) : []);
  const part = /** @type {Record<string, string>} */ ({ queue: 'broker', ledger: 'database' });
  heads.classList.toggle('many', scene.lanes.length > 6);
  list(heads, scene.lanes, (lane) => lane.id, (lane) => h('span.lane', {}, icon(lane.name), h('span')), (node, lane, i) => {
    const away = missing.has(part[lane.id] ?? lane.name);
    setText(find('span', node), laneName(words, lane.id));
    node.classList.toggle('away', away);
    /** @type {HTMLElement} */ (node).style.left = `${xs[i]}px`;
  });
}

/** Keeps a row in sight inside the list, and the first one whole; the page itself never moves. @param {HTMLElement} scroll @param {number} height @param {number} index */
function follow(scroll, height, index) {
  const head = 40;
  const top = index * height;
  const view = scroll.clientHeight - head;
  if (index < 0) scroll.scrollTop = 0;
  else if (top < scroll.scrollTop) scroll.scrollTop = top;
  else if (top + height > scroll.scrollTop + view) scroll.scrollTop = Math.ceil((top + height - view) / height) * height;
}
