import { attr, find, h, list, reveal, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { laneX, lifelines } from '../model/lifelines.js';
import { drawRow } from './arrow.js';
import { Roving } from './roving.js';
import { faultWords, label, laneName, say, where } from './tell.js';

/**
 * The sequence diagram: an ordered list whose items are drawn rows on a wide screen and sentences on a phone.
 *
 * @typedef {import('../types.js').Row} Row
 * @typedef {{row: Row|null, kind: string, from: string, to: string, key: string, marked: boolean}} Item
 * @param {HTMLElement} root @param {import('../app.js').App} app
 */
export function mountDiagram(root, app) {
  const heads = h('div.lanes', { 'aria-hidden': 'true' });
  const rows = h('ol.rows');
  const scroll = h('div.scroll', {}, heads, rows);
  root.append(scroll);
  const roving = new Roving(rows, (index) => app.store.set({ focus: index }));
  let width = 0;
  let height = 0;
  let place = '';
  new ResizeObserver(() => {
    const now = Math.floor(scroll.clientWidth);
    if (now === 0 || (now === width && scroll.clientHeight === height)) return;
    width = now;
    height = scroll.clientHeight;
    app.store.set({});
  }).observe(scroll);

  app.store.add((state, scene) => {
    root.hidden = state.tab !== 'diagram' || state.health.phase === 'booting';
    if (root.hidden) { place = ''; return; }
    const { words } = state;
    const xs = laneX(scene.lanes.length, width || 640);
    const at = Object.fromEntries(scene.lanes.map((lane, i) => [lane.id, xs[i]]));
    drawHeads(heads, state, scene, xs);
    const items = itemsOf(scene);
    const lives = lifelines(scene.shown, scene.lanes);
    const look = `${width}/${words.lang}/${scene.lanes.map((l) => l.id)}`;
    list(rows, items, (item) => item.key, () => h('li.row', {}, h('span.n.num', { 'aria-hidden': 'true' }), h('div.picture'), h('div.label', { 'aria-hidden': 'true' }),
      h('p.say', {}, h('span.vh'), h('span.who'), h('span'))), (node, item, i) => {
      const element = /** @type {HTMLElement} */ (node);
      attr(element, 'aria-current', i === scene.shown.length - 1 ? 'true' : null);
      element.classList.toggle('focus', i === state.focus);
      if (i < scene.shown.length - 1) element.classList.remove('new');
      const drawn = `${look}/${item.kind}/${item.marked}/${item.row?.events.length}`;
      if (element.dataset.drawn === drawn) return;
      const fresh = element.dataset.drawn === undefined && i === scene.shown.length - 1;
      element.dataset.drawn = drawn;
      const life = scene.lanes.map((lane) => lives[i]?.[lane.id]);
      drawItem(element, item, i, { state, scene, xs, at, life, width: width || 640 });
      element.classList.toggle('new', fresh && state.head.playing);
    });
    rows.classList.toggle('dense', items.length > 13);
    roving.refresh(scene.shown.length, state.focus);
    const now = `${scene.shown.length}/${items.length}/${width}/${scroll.clientHeight}`;
    if (now !== place) follow(scroll, rows, scene.shown.length);
    place = now;
  });
}

/** @param {import('../store.js').Scene} scene @returns {Item[]} */
function itemsOf(scene) {
  const items = scene.shown.map((row, i) => item(row, row, `row${i}`));
  scene.ghosts.forEach((ghost, i) => {
    items.push(item(null, ghost, `ghost${scene.ghosts.length - i}/${ghost.kind}`, i === scene.marked));
    if (i === scene.marked) {
      const lane = ghost.points.some((p) => p.startsWith('worker.')) ? 'worker' : ghost.from;
      items.push(item(null, { kind: 'armed', from: lane, to: lane }, `armed${scene.setup.fault?.action}`));
    }
  });
  return items;
}

/** @param {Row|null} row @param {{kind: string, from: string, to: string}} what @param {string} key @param {boolean} [marked] @returns {Item} */
const item = (row, what, key, marked = false) => ({ row, kind: what.kind, from: what.from, to: what.to, key, marked });

/**
 * @param {HTMLElement} node @param {Item} item @param {number} i
 * @param {{state: import('../store.js').State, scene: import('../store.js').Scene, xs: number[], at: Record<string, number>,
 *   life: any[], width: number}} where
 */
function drawItem(node, item, i, { state, scene, xs, at, life, width }) {
  const { words } = state;
  const ghost = item.row === null;
  node.className = `row ${item.kind}${ghost ? ' ghost' : ''}`;
  const from = at[item.from] ?? xs[0];
  const to = at[item.to] ?? from;
  find('.picture', node).replaceChildren(drawRow({ kind: item.kind, from, to, ghost, lives: life }, xs, width));
  const n = find('.n', node);
  n.replaceChildren(...(item.kind === 'armed' ? [icon('bolt')] : []));
  if (item.row) setText(n, String(i + 1));
  const text = find('.label', node);
  text.replaceChildren(...labelNodes(item, state, scene));
  const local = from === to;
  text.classList.toggle('local', local);
  text.classList.remove('flip');
  const flip = local && (from > width * 0.6 || (from + 20 + text.offsetWidth > width && from - 56 > text.offsetWidth));
  text.classList.toggle('flip', flip);
  text.style.left = `${local ? from + (flip ? -16 : 16) : (from + to) / 2}px`;
  const room = local ? Infinity : Math.abs(to - from) - 2;
  shorten(text, item.kind, room, words);
  tell(node, item, i, state, scene);
}

/**
 * An arrow too short for its words keeps its id: the words become shorter, then go.
 * @param {HTMLElement} text @param {string} kind @param {number} room @param {import('../lib/i18n.js').Words} words
 */
function shorten(text, kind, room, words) {
  const [said, tag] = text.children;
  text.classList.remove('tight');
  if (!tag || text.offsetWidth <= room) return;
  const key = `row.${kind}.short`;
  if (words.has(key)) setText(said, words.t(key));
  text.classList.toggle('tight', text.offsetWidth > room);
}

/** The row as a sentence. @param {HTMLElement} node @param {Item} item @param {number} i @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function tell(node, { row, kind }, i, { words }, scene) {
  const [place, who, what] = find('.say', node).children;
  setText(place, row ? `${where(words, row, i + 1)} ` : '');
  who.replaceChildren(...(row ? [icon(row.from.replace(/\d+$/, ''))] : []));
  const ghost = words.t(`ghost.${kind}`, faultWords(words, scene.setup.fault));
  setText(what, row ? say(words, row, scene) : kind === 'armed' ? ghost : words.t('ghost.row', { what: ghost }));
}

/** @param {Item} item @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function labelNodes({ row, kind }, { words }, scene) {
  if (!row) return [h('span', {}, words.t(`ghost.${kind}`, faultWords(words, scene.setup.fault)))];
  const shows = row.tag && row.tagKind !== 'charge';
  return [
    h('span', {}, label(words, row, scene)),
    shows ? h(`span.tag.${row.tagKind}`, { title: row.tag, lang: 'en', translate: 'no' }, row.tag?.slice(-4)) : '',
  ];
}

/** @param {HTMLElement} heads @param {import('../store.js').State} state @param {import('../store.js').Scene} scene @param {number[]} xs */
function drawHeads(heads, { words, health }, scene, xs) {
  const missing = new Set(health.phase === 'missing' ? health.parts.filter((p) => !p.ready).map((p) => p.name) : []);
  const part = /** @type {Record<string, string>} */ ({ queue: 'broker', ledger: 'database' });
  list(heads, scene.lanes, (lane) => lane.id, (lane) => h('span.lane', {}, icon(lane.name), h('span')), (node, lane, i) => {
    const away = missing.has(part[lane.id] ?? lane.name);
    setText(find('span', node), laneName(words, lane.id));
    node.classList.toggle('away', away);
    /** @type {HTMLElement} */ (node).style.left = `${xs[i]}px`;
  });
}

/** Keeps the current row in sight inside the list, the first ones with the top of it. @param {HTMLElement} scroll @param {HTMLElement} rows @param {number} shown */
function follow(scroll, rows, shown) {
  const current = rows.children[shown - 1];
  if (current instanceof HTMLElement) reveal(scroll, current, 36);
  else scroll.scrollTop = 0;
}
