import { addStyle, h } from '../lib/dom.js';
import { strategyOf } from '../model/catalogue.js';
import { align, inLanes, orderOf, pairOf } from '../model/compare.js';
import { runOf } from '../model/document.js';
import { playhead } from '../model/playhead.js';
import { formatRoute } from '../model/route.js';
import { rowsOfRun, sceneOf } from '../model/scene.js';
import { ProblemError } from '../net/api.js';
import { experiment } from '../net/runs.js';
import { Player } from '../player.js';
import { compareBar } from './compare-bar.js';
import { compareSide } from './compare-side.js';
import { compareTransport } from './compare-transport.js';

/**
 * @typedef {import('../model/compare.js').Pair} Pair
 * @typedef {import('../model/compare.js').Line} Line
 * @typedef {import('../model/scene.js').Scene} Scene
 * @typedef {Scene & {id: string}} Ended
 * @typedef {object} Own
 * @property {Pair} pair
 * @property {'ready'|'running'|'done'} phase
 * @property {string} trouble
 * @property {{a: Ended, b: Ended}|null} scenes  of both runs, at their end
 * @property {Line[]} lines
 * @property {'a'|'b'} side  the one that is shown where there is room for one
 */

/** Two strategies, the same order, the same fault. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mount(root, app) {
  const comparison = new Comparison(app);
  const bar = h('div.compare-bar');
  const a = h('section.compare-side');
  const b = h('section.compare-side');
  const sides = h('div.compare-sides', {}, a, b);
  const foot = h('div.compare-transport');
  void addStyle('css/compare.css').then(() => { root.append(bar, sides, foot); comparison.draw(); });
  const drawBar = compareBar(bar, { choose: comparison.choose, run: () => void comparison.run(), side: comparison.side });
  const drawA = compareSide(a, 'a', () => comparison.draw());
  const drawB = compareSide(b, 'b', () => comparison.draw());
  const drawFoot = compareTransport(foot, comparison.player);

  comparison.draw = () => {
    const { state, own, head } = comparison;
    if (state.route.view !== 'compare') return;
    sides.dataset.side = own.side;
    drawBar(own, comparison.idle, state);
    drawA(own, head.at, state);
    drawB(own, head.at, state);
    drawFoot(own, head, state.words);
    follow(sides, head.at);
  };
  app.store.add(() => comparison.draw());
  return { show: (/** @type {import('../model/route.js').Route} */ route) => comparison.adopt(pairOf(route, location.hash)) };
}

/** The line of the playhead stays in sight. @param {HTMLElement} sides @param {number} at */
function follow(sides, at) {
  if (sides.dataset.at === String(at)) return;
  sides.dataset.at = String(at);
  const row = [...sides.querySelectorAll('.row[aria-current]')].find((node) => node instanceof HTMLElement && node.offsetHeight > 0);
  if (!row || sides.scrollHeight <= sides.clientHeight) return;
  const box = sides.getBoundingClientRect();
  const head = sides.querySelector('.compare-top')?.clientHeight ?? 0;
  const over = row.getBoundingClientRect().bottom + 4 - box.bottom;
  const under = box.top + head - row.getBoundingClientRect().top;
  if (over > 0) sides.scrollTop += over;
  else if (under > 0) sides.scrollTop -= under;
}

/** What a person does here, and what came of both runs. */
class Comparison {
  /** @type {Own} */ own = { pair: { a: '', b: '', fault: null }, phase: 'ready', trouble: '', scenes: null, lines: [], side: 'a' };
  draw = () => undefined;
  head = playhead();
  #turn = 0;
  /** @type {Array<() => void>} */ #watchers = [];

  /** @param {import('../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.head = { ...playhead(app.state.head.pace === 'live' ? 'live' : 'paced'), playing: false };
    this.player = new Player(/** @type {any} */ (this.#clock()));
  }

  /** The player moves this playhead as it moves the stage's. */
  #clock() {
    const comparison = this;
    return {
      get state() { return { head: comparison.head, run: comparison.own.scenes ? { phase: 'finished' } : null }; },
      get rows() { return comparison.own.lines; },
      /** @param {{head: import('../types.js').Playhead}} patch */
      set: ({ head }) => { this.head = head; this.#changed(); },
      /** @param {() => void} watcher */
      add: (watcher) => { this.#watchers.push(watcher); },
    };
  }

  get state() { return this.app.state; }

  get idle() { return this.state.health.phase === 'ready' && this.own.phase !== 'running'; }

  /** @param {Partial<Own>} patch */
  set(patch) {
    this.own = { ...this.own, ...patch };
    this.#changed();
  }

  #changed() {
    for (const watcher of this.#watchers) watcher();
    this.draw();
  }

  /** What the address names: ready, not running. @param {Pair} pair */
  adopt(pair) {
    if (JSON.stringify(pair) === JSON.stringify(this.own.pair)) return this.draw();
    this.#turn += 1;
    this.head = { ...this.head, at: 0, playing: false };
    return this.set({ pair, phase: 'ready', trouble: '', scenes: null, lines: [] });
  }

  /** @param {Partial<Pair>} patch */
  choose = (patch) => {
    const pair = { ...this.own.pair, ...patch };
    this.adopt(pair);
    location.hash = formatRoute({ ...this.state.route, view: 'compare', run: '', ...pair }) + (pair.fault ? '' : '&fault=none');
  };

  /** @param {'a'|'b'} side */
  side = (side) => this.set({ side });

  async run() {
    if (!this.idle) return;
    const { a, b, fault } = this.own.pair;
    const turn = ++this.#turn;
    const wanted = () => turn === this.#turn;
    this.head = { ...this.head, at: 0, playing: false };
    this.set({ phase: 'running', trouble: '', scenes: null, lines: [] });
    try {
      const [first, second] = await Promise.all([a, b].map((strategy) => experiment(orderOf(strategy, fault), wanted)));
      if (wanted() && first && second) this.#done(first, second);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (wanted()) this.set({ phase: 'ready', trouble: error.status === 0 ? 'health.gone' : error.message });
    }
  }

  /** Both have ended: the playhead begins at the first line. @param {import('../types.js').RunDocument} a @param {import('../types.js').RunDocument} b */
  #done(a, b) {
    const scenes = { a: this.#scene(a), b: this.#scene(b) };
    const lines = align(inLanes(scenes.a.rows), inLanes(scenes.b.rows));
    this.head = { ...this.head, at: 0, playing: true, since: -Infinity };
    this.set({ phase: 'done', scenes, lines });
  }

  /** @param {import('../types.js').RunDocument} document */
  #scene(document) {
    const run = runOf(document);
    const rows = rowsOfRun(run);
    return { ...sceneOf(run, run.setup, rows.length, strategyOf(this.state.strategies, run.setup.strategy), rows), id: document.id };
  }
}
