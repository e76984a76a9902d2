import { firstPrices, sku, strategyOf } from './model/catalogue.js';
import { withoutPendingCrash } from './model/held.js';
import { playhead } from './model/playhead.js';
import { rowsOf } from './model/rows.js';
import { unfolded } from './model/lanes.js';
import { sceneOf } from './model/scene.js';

/**
 * The state of the page in one place. Views read it and the scene made from it; only actions change it.
 *
 * @typedef {object} State
 * @property {import('./lib/i18n.js').Words} words
 * @property {'light'|'dark'} theme
 * @property {import('./model/route.js').Route} route
 * @property {import('./types.js').Setup} setup
 * @property {Record<string, number>} guesses  by act; the Lab's stands under "0"
 * @property {string} key
 * @property {Record<string, number>} prices
 * @property {import('./types.js').Strategy[]} strategies
 * @property {import('./net/health.js').Health} health
 * @property {import('./types.js').LabState|null} lab
 * @property {import('./types.js').Run|null} run
 * @property {boolean} seen  the run has been watched to its end once
 * @property {import('./types.js').Playhead} head
 * @property {number} focus  row whose details are shown; -1 is the row of the playhead
 * @property {string} elsewhere  the strategy that another window chose
 * @property {string} tag  an id that is pointed out wherever it stands
 * @property {'shop'|'code'} left
 * @property {'diagram'|'table'|'picture'} tab
 * @property {{place: 'pay'|'setup'|'reset'|'file'|'run', problem: import('./types.js').Problem}|null} refusal
 * @property {'idle'|'asking'|'going'} reset
 * @property {string} undo  the run that stood on the table before it was cleared
 *
 * @typedef {import('./model/scene.js').Scene} Scene
 */

export class Store {
  /** @type {State} */ state;
  /** @type {Array<(state: State, scene: Scene) => void>} */ #views = [];
  #pending = false;
  /** @type {{events: unknown, rows: import('./types.js').Row[]}} */ #memo = { events: null, rows: [] };

  /** @param {Pick<State, 'words'|'theme'|'route'|'key'|'guesses'>} start */
  constructor(start) {
    const { strategy, fault } = start.route;
    this.state = {
      setup: { strategy, fault, card: 'pm_card_visa', currency: 'try', sku, pay: start.route.pay },
      prices: firstPrices, strategies: [], lab: null, run: null, seen: false, head: playhead(), focus: -1, elsewhere: '', tag: '', left: 'shop', tab: 'diagram',
      health: { phase: 'loading', parts: [], since: 0, retryAt: 0 }, refusal: null, reset: 'idle', undo: '', ...start,
    };
  }

  /** @param {(state: State, scene: Scene) => void} view */
  add(view) { this.#views.push(view); }

  /** @param {Partial<State>} patch */
  set(patch) {
    this.state = { ...this.state, ...patch };
    if (this.#pending) return;
    this.#pending = true;
    queueMicrotask(() => { this.#pending = false; this.render(); });
  }

  /** @param {Partial<import('./types.js').Run>} patch */
  setRun(patch) {
    if (this.state.run) this.set({ run: { ...this.state.run, ...patch } });
  }

  /** The rows of the run, made once for each event list. */
  get rows() {
    const { run } = this.state;
    if (!run) return [];
    if (this.#memo.events !== run.events) {
      const rows = rowsOf(run.events, unfolded(run.events, run.setup.fault));
      this.#memo = { events: run.events, rows: run.stepping ? withoutPendingCrash(rows, run.events) : rows };
    }
    return this.#memo.rows;
  }

  get price() { return this.state.prices[this.state.setup.currency] ?? 0; }

  render() {
    const { state } = this;
    const strategy = strategyOf(state.strategies, (state.run?.setup ?? state.setup).strategy);
    const scene = sceneOf(state.run, state.setup, state.head.at, strategy, this.rows);
    if ((scene.settled || scene.stopped) && !state.seen) this.set({ seen: true });
    for (const view of this.#views) view(this.state, scene);
  }
}

/** An order is on its way, or its story has not been watched to the end. @param {State} state */
export const busy = (state) => state.run !== null && !state.seen;
