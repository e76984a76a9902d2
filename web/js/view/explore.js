import { addStyle, h } from '../lib/dom.js';
import { documentOf } from '../model/counterexample.js';
import { columnsOf, compared, examples, foundOf, inOrder } from '../model/explore.js';
import { formatRoute } from '../model/route.js';
import { ProblemError } from '../net/api.js';
import { follow, latest, start } from '../net/explore.js';
import * as matrix from '../net/matrix.js';
import { exploreCard } from './explore-card.js';
import { exploreTop } from './explore-top.js';

/**
 * @typedef {import('../model/explore.js').Search} Search
 * @typedef {{key: string, job: import('../model/matrix.js').Job|null, trouble: string}} Trial  a counterexample on real processes
 * @typedef {object} Own
 * @property {Search|null} search
 * @property {string} trouble
 * @property {Record<string, number>} chosen  which counterexample, by strategy
 * @property {Trial|null} trial
 */

/** Every schedule within bounds: the shortest that breaks a strategy, or that none does. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mount(root, app) {
  const explorer = new Explorer(app);
  const top = h('div.explore-top');
  const names = h('ol.explore-names');
  const card = h('article.explore-card');
  const drawTop = exploreTop(top, names, { search: () => void explorer.search(), choose: explorer.choose });
  const drawCard = exploreCard(card, { example: explorer.example, play: explorer.play, run: () => void explorer.run() });
  void addStyle('css/explore.css').then(() => root.append(top, h('div.explore-body', {}, names, card)));

  explorer.draw = () => {
    const { state, own, strategy } = explorer;
    if (state.route.view !== 'explore' || !strategy) return;
    drawTop(inOrder(state.strategies), strategy.id, own, explorer.idle, state.words);
    drawCard(explorer.seen, own, explorer.idle, state.words);
  };
  let ready = false;
  app.store.add(({ health }) => {
    const before = ready;
    ready = health.phase === 'ready';
    if (ready && !before) void explorer.learn();
    explorer.draw();
  });
  return { show: () => explorer.draw() };
}

/** What a person does here, and what the lab says of it. */
class Explorer {
  /** @type {Own} */ own = { search: null, trouble: '', chosen: {}, trial: null };
  draw = () => undefined;

  /** @param {import('../app.js').App} app */
  constructor(app) { this.app = app; }

  get state() { return this.app.state; }

  get idle() { return this.state.health.phase === 'ready' && this.own.search?.state !== 'running' && this.own.trial?.job?.state !== 'running'; }

  /** The one that the address names, or the first. */
  get strategy() {
    const all = inOrder(this.state.strategies);
    return all.find(({ id }) => id === this.state.route.strategy) ?? all[0];
  }

  /** What the card shows. */
  get seen() {
    const { strategy } = this;
    const found = foundOf(this.own.search, strategy.id);
    const list = found ? examples(found) : [];
    const index = Math.min(this.own.chosen[strategy.id] ?? 0, list.length - 1);
    const example = list[index] ?? null;
    return { strategy, found, list, index, example, key: example ? `${strategy.id} ${example.schedule} ${example.property}` : '' };
  }

  /** @param {Partial<Own>} patch */
  set(patch) {
    this.own = { ...this.own, ...patch };
    this.draw();
  }

  /** @param {string} strategy */
  choose = (strategy) => { location.hash = formatRoute({ ...this.state.route, view: 'explore', strategy }); };

  /** @param {number} index */
  example = (index) => this.set({ chosen: { ...this.own.chosen, [this.strategy.id]: index } });

  play = () => {
    const { example, strategy } = this.seen;
    if (example && this.own.search) this.app.openDocument(documentOf(strategy.id, example, this.own.search));
  };

  async search() {
    if (this.idle) await this.#attempt(async () => this.#follow(await start()), true);
  }

  /** What the lab searched last, also from another window. */
  async learn() {
    if (this.own.search?.state === 'running') return;
    await this.#attempt(async () => {
      const search = await latest();
      if (search) await this.#follow(search);
    }, false);
  }

  /** While a search is going on, what was found before stays. @param {Search} first */
  async #follow(first) {
    const { search } = this.own;
    const before = search ? { strategies: search.strategies, bounds: search.bounds, assumptions: search.assumptions } : {};
    this.set({ trouble: '', trial: null });
    await follow(first, (now) => this.set({ search: now.state === 'running' ? { ...now, ...before } : now }));
  }

  /** @param {() => Promise<void>} work @param {boolean} asked  whether a person waits for it */
  async #attempt(work, asked) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { search } = this.own;
      const ended = search?.state === 'running' ? { ...search, state: 'stopped' } : search;
      this.set({ search: ended, trouble: !asked ? '' : error.status === 0 ? 'health.gone' : error.message });
    }
  }

  /** The counterexample on real processes, by the faults of the matrix that do the same. */
  async run() {
    const { example, strategy, key } = this.seen;
    if (!this.idle || !example) return;
    /** @param {Partial<Trial>} patch */
    const tell = (patch) => this.set({ trial: { key, job: null, trouble: '', ...patch } });
    try {
      const job = await matrix.start({ strategy: [strategy.id], fault: columnsOf(strategy, example) });
      await matrix.follow(job, (now) => tell({ job: now }));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      tell({ trouble: error.status === 0 ? 'health.gone' : error.message });
    }
  }
}

/** What a trial says of a counterexample: null while it says nothing. @param {Trial|null} trial @param {string} key @param {string} property */
export function told(trial, key, property) {
  if (!trial || trial.key !== key || trial.job?.state !== 'finished') return null;
  return compared(property, trial.job.cells ?? []);
}
