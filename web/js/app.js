import { uuid } from './lib/uuid.js';
import { cartOf, forgetful, keyFor, spend } from './model/cart-key.js';
import { acts } from './model/catalogue.js';
import { decidingRow } from './model/deciding.js';
import { formatRoute, parseRoute } from './model/route.js';
import * as api from './net/api.js';
import { busy } from './store.js';
import { Shelf } from './shelf.js';
import { Stepper } from './stepper.js';
import { stages } from './views.js';

/**
 * What a person can do. Each action is one method; views call nothing else.
 *
 * @typedef {import('./store.js').Store} Store
 */
export class App {
  /**
   * @param {Store} store @param {import('./runner.js').Runner} runner @param {import('./player.js').Player} player
   * @param {import('./lib/i18n.js').Library} library
   */
  constructor(store, runner, player, library) {
    this.stepper = new Stepper(store);
    this.shelf = new Shelf(this);
    this.store = store;
    this.runner = runner;
    this.player = player;
    this.library = library;
    store.add((state) => this.#address(state));
  }

  #addressTimer = 0;

  /** The address follows the run on the stage and the row at which it stands, so that a reload finds both again. @param {import('./store.js').State} state */
  #address({ run, route, head }) {
    const id = run?.orderId ?? '';
    if (!id || !stages.has(route.view) || run?.record?.source === 'boot' || parseRoute(location.hash).view !== route.view) return;
    const at = head.at >= this.store.rows.length ? -1 : head.at;
    const next = route.view === 'run' ? { ...route, at } : { ...route, run: id, at };
    if (next.run === route.run && next.at === route.at) return;
    clearTimeout(this.#addressTimer);
    if (next.run !== route.run) this.#replace(next);
    else this.#addressTimer = window.setTimeout(() => { if (this.state.run === run) this.#replace(next); }, 250);
  }

  /** @param {import('./model/route.js').Route} route */
  #replace(route) {
    history.replaceState(null, '', formatRoute(route));
    this.store.set({ route });
  }

  /** The page was saved with its run: there is no lab to ask. */
  offline = false;

  get state() { return this.store.state; }

  /** Follows the address. It never changes the server. */
  followRoute() {
    const route = parseRoute(location.hash);
    const { setup, run, seen } = this.state;
    if (stages.has(route.view)) {
      if (route.run && route.run === run?.orderId) return void this.store.set({ route });
      if (!run || seen) this.#leave();
    }
    this.store.set({ route });
    if (route.view === 'story' || route.view === 'lab') {
      this.store.set({ setup: { ...setup, strategy: route.strategy, fault: route.fault, pay: route.pay } });
      this.freshKey();
    }
    if (route.lang) void this.setLanguage(route.lang, false);
    if (route.theme) this.setTheme(/** @type {'light'|'dark'} */ (route.theme), false);
    if (route.view === 'run') void this.shelf.show(route.id, route.at);
    else if (route.run && stages.has(route.view)) void this.runner.restore(route.run, route.at);
    return undefined;
  }

  /** Shows a run that was not made here. @param {import('./types.js').RunDocument} document */
  openDocument(document) { this.shelf.open(document); }

  /** Leaves the run on the table. An order that was taken has used its key: the next one is another purchase. */
  #leave() {
    if (this.state.seen && this.state.run?.orderId) {
      spend(sessionStorage);
      spend(this.#forgetful);
    }
    this.runner.clear();
  }

  /** The form opens: a key is made, or the one it had is kept. */
  freshKey() {
    const keep = this.state.setup.pay === 'reload' ? this.#forgetful : sessionStorage;
    this.store.set({ key: keyFor(keep, cartOf(this.state.setup), uuid) });
  }

  #forgetful = forgetful();

  /** @param {Partial<import('./types.js').Setup>} patch  for the next order */
  choose(patch) {
    if (!busy(this.state)) this.#leave();
    const setup = { ...this.state.setup, ...patch };
    const leaves = 'strategy' in patch || 'fault' in patch || 'pay' in patch;
    const { route } = this.state;
    this.store.set({ setup, refusal: null, elsewhere: '' });
    this.#replace(leaves
      ? { ...route, view: 'lab', act: 0, strategy: setup.strategy, fault: setup.fault, pay: setup.pay ?? 'open', run: '' }
      : { ...route, run: '' });
    if (!busy(this.state)) this.freshKey();
  }

  /** @param {number} n */
  guess(n) {
    const guesses = { ...this.state.guesses, [this.state.route.act]: n };
    sessionStorage.setItem('doublecharge.guesses', JSON.stringify(guesses));
    this.store.set({ guesses });
  }

  async pay() {
    if (this.state.health.phase !== 'ready' || this.state.reset === 'going') return;
    await this.runner.pay();
    if (!this.state.run) this.freshKey();
  }

  /** Points an id out wherever it stands; the same again lets it go. @param {string} tag */
  point(tag) { this.store.set({ tag: this.state.tag === tag ? '' : tag }); }

  /** Moves the playhead to the row that decided. */
  showWhy() {
    const row = decidingRow(this.store.rows, this.state.run?.verdict ?? null);
    if (row < 0) return;
    this.player.seek(row + 1);
    this.store.set({ focus: row });
  }

  /** The one thing to do after a run. */
  next() {
    const { act, view, strategy, fault, pay, present } = this.state.route;
    if (view === 'lab') return this.again();
    const following = acts.find((a) => a.id === act + 1);
    location.hash = following
      ? formatRoute({ view: 'story', act: following.id, present })
      : formatRoute({ view: 'lab', strategy, fault, pay, present });
    return undefined;
  }

  /** The same set-up, ready and not running. */
  again() {
    this.#leave();
    this.freshKey();
    this.#replace({ ...this.state.route, run: '' });
  }

  /** A fresh table. It asks first while an order is on its way. */
  async reset() {
    if (this.state.reset === 'going') return;
    if (busy(this.state) && this.state.reset !== 'asking') {
      this.store.set({ reset: 'asking' });
      setTimeout(() => { if (this.state.reset === 'asking') this.store.set({ reset: 'idle' }); }, 5000);
      return;
    }
    const undo = this.state.route.run || this.state.run?.orderId || '';
    this.store.set({ reset: 'going', refusal: null });
    try {
      await withPatience(api.reset);
      this.#leave();
      this.store.set({ undo });
      if (location.hash === '' || location.hash === '#/') this.followRoute();
      else location.hash = '#/';
    } catch (error) {
      if (!(error instanceof api.ProblemError)) throw error;
      this.store.set({ refusal: { place: 'reset', problem: error.problem } });
    }
    this.store.set({ reset: 'idle' });
  }

  /** @param {string} lang @param {boolean} [keep] */
  async setLanguage(lang, keep = true) {
    const words = await this.library.words(lang);
    if (keep) this.#keep('lang', lang);
    this.store.set({ words });
  }

  /** A view brings its own words. @param {string} part */
  async addWords(part) {
    this.library.want(part);
    const words = await this.library.words(this.state.words.lang);
    this.store.set({ words });
  }

  /** @param {'light'|'dark'} theme @param {boolean} [keep] */
  setTheme(theme, keep = true) {
    if (keep) this.#keep('theme', theme);
    this.store.set({ theme });
  }

  /** A choice by hand is stored, and wins over the link the page came from. @param {'lang'|'theme'} name @param {string} value */
  #keep(name, value) {
    localStorage.setItem(`doublecharge.${name}`, value);
    const url = new URL(location.href);
    url.searchParams.delete(name);
    history.replaceState(null, '', url);
  }

  /** Large type and no controls, for a projector. @param {boolean} on */
  present(on) { this.#replace({ ...this.state.route, present: on }); }

  async refreshLab() {
    const lab = await api.labState().catch(() => null);
    if (lab) this.store.set({ lab });
  }
}

/** Asks again while the server is busy with something short. @param {() => Promise<unknown>} ask */
async function withPatience(ask) {
  for (let i = 1; ; i += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof api.ProblemError) || error.status !== 409 || i === 4) throw error;
      await new Promise((done) => { setTimeout(done, 400 * i); });
    }
  }
}
