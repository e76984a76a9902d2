import { svg } from '../lib/dom.js';
import { shortTail } from '../lib/format.js';
import { laneX, lifelines } from '../model/lifelines.js';
import { drawRow, height } from '../view/arrow.js';
import { label, laneName, verdictWords } from '../view/tell.js';

/**
 * The diagram of a run as one drawing for slides and papers: the same lines as on the page, with the words as text.
 *
 * @param {import('../store.js').Scene} scene @param {import('../lib/i18n.js').Words} words @param {(token: string) => string} colour  of a token of the page
 * @returns {string}
 */
export function drawingOf(scene, words, colour) {
  const width = 760;
  const head = 84;
  const xs = laneX(scene.lanes.length, width);
  const at = Object.fromEntries(scene.lanes.map((lane, i) => [lane.id, xs[i]]));
  at.worker ??= at[scene.lanes.find((lane) => lane.name === 'worker')?.id ?? ''];
  const lives = lifelines(scene.rows, scene.lanes);
  const full = head + scene.rows.length * height + 24;
  const { title, sub } = verdictWords(words, scene);
  const root = svg('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${full}`, width, height: full, role: 'img' },
    svg('title', {}, text(`${words.of(scene.strategy.title)}: ${title}`)),
    svg('style', {}, text(styleOf(colour))),
    svg('rect', { class: 'paper', width, height: full }),
    said('title', 16, 28, `${words.of(scene.strategy.title)}: ${title}`), said('small', 16, 50, sub),
    ...scene.lanes.map((lane, i) => said('lane', xs[i], 74, laneName(words, lane.id))));
  scene.rows.forEach((row, i) => {
    const from = at[row.from] ?? xs[0];
    const to = at[row.to] ?? from;
    const life = scene.lanes.map((lane) => lives[i][lane.id]);
    const lost = Boolean(row.params.lost);
    root.append(svg('g', { class: row.kind, transform: `translate(0 ${head + i * height})` },
      ...drawRow({ kind: row.kind, from, to, ghost: false, lost, lives: life }, xs, width).childNodes,
      said('n', 34, 19, String(i + 1)),
      from === to ? said('local', from + 16, 19, label(words, row, scene)) : said('words', (from + to) / 2, 15, wordsOn(words, row, scene))));
  });
  return new XMLSerializer().serializeToString(root);
}

/** @param {string} content */
const text = (content) => document.createTextNode(content);

/** @param {string} kind @param {number} x @param {number} y @param {string} content */
const said = (kind, x, y, content) => svg('text', { class: kind, x, y }, text(content));

/** @param {import('../lib/i18n.js').Words} words @param {import('../types.js').Row} row @param {import('../store.js').Scene} scene */
function wordsOn(words, row, scene) {
  const said = label(words, row, scene);
  return row.tag && row.tagKind !== 'charge' ? `${said} ${shortTail(row.tag)}` : said;
}

/** @param {(token: string) => string} colour */
const styleOf = (colour) => `
text { font: 14px system-ui, "Segoe UI", Roboto, sans-serif; fill: currentColor; }
svg, g { color: ${colour('text')}; }
.paper { fill: ${colour('surface')}; }
.title { font-size: 18px; font-weight: 700; }
.small, .n { fill: ${colour('text-2')}; }
.n { text-anchor: end; }
.lane { font-weight: 600; text-anchor: middle; }
.words { text-anchor: middle; paint-order: stroke; stroke: ${colour('surface')}; stroke-width: 4px; }
.local { font-weight: 600; }
.life { stroke: ${colour('edge')}; stroke-width: 1.5; }
.life.unk { stroke: ${colour('unk')}; stroke-dasharray: 2 3; }
.life.hang { stroke: ${colour('warn')}; stroke-width: 5; stroke-dasharray: 2 2; }
.shaft { stroke: currentColor; stroke-width: 2; }
.head { fill: currentColor; }
.head.open, .broken { fill: none; stroke: currentColor; stroke-width: 1.5; }
.spot { fill: ${colour('text-2')}; }
circle.start { fill: ${colour('surface')}; stroke: currentColor; }
path.cross { fill: none; stroke: ${colour('bad')}; stroke-width: 4; }
.crash, .error { color: ${colour('bad')}; }
.redeliver, .publishAgain, .retry, .dead, .hang, .hold, .cut { color: ${colour('warn')}; }
.unknown { color: ${colour('unk')}; }
.replayed, .sameOrder, .found { color: ${colour('replay')}; }`;
