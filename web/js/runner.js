import { uuid } from './lib/uuid.js';
import { definite, leaveOpen, leftOpen, spend } from './model/cart-key.js';
import { eventsOf, merge, newRun, orderIdIn, ordersIn } from './model/run.js';
import { documentOf, ofOnePurchase, runOf } from './model/document.js';
import { heldOf } from './model/held.js';
import { playhead } from './model/playhead.js';
import * as api from './net/api.js';

/**
 * One purchase from the press to the verdict: set-up, checkout (asked again with the same key while nobody can tell
 * how it ended), the events, quiet, the bank's word.
 *
 * @typedef {import('./store.js').Store} Store
 * @typedef {import('./types.js').Event} Event
 */

const tries = 12;

export class Runner {
  #store; #stream;
  /** @type {Event[]} */ #heard = [];
  #endId = Infinity;
  #since = Date.now();
  /** Counts runs, so that the answers of a run that was left are dropped. */
  #turn = 0;

  /** @param {Store} store @param {import('./net/stream.js').EventStream} stream */
  constructor(store, stream) {
    this.#store = store;
    this.#stream = stream;
    stream.addEventListener('trace', (e) => {
      const event = /** @type {CustomEvent<Event>} */ (e).detail;
      this.#hear([event]);
      this.#noticed(event);
    });
  }

  /** Sends the order. Pressed again while it is on its way, it sends the same key again. */
  async pay() {
    const { state } = this.#store;
    if (state.run && !state.seen) {
      const key = state.run.setup.pay === 'click' ? uuid() : state.run.key;
      await this.#armed;
      this.#store.setRun({ presses: state.run.presses + 1, keys: [...new Set([...state.run.keys, key])] });
      await api.checkout(state.run.setup, key).catch(() => undefined);
      return;
    }
    const turn = this.#begin(state.setup, state.key);
    this.#armed = this.#setUp(state);
    try {
      await this.#armed;
    } catch (error) {
      this.#refuse(turn, 'setup', error);
      return;
    }
    const order = await this.#checkout(turn).catch((error) => this.#refuse(turn, 'pay', error));
    if (order && turn === this.#turn) {
      this.#store.setRun({ phase: 'running', orderId: order.id, amount: order.amount });
      this.#hear([]);
      await this.settle(turn);
    }
  }

  /** The set-up of the order that is on its way: a second press waits for it too. @type {Promise<unknown>} */
  #armed = Promise.resolve();

  /** @param {import('./store.js').State} state */
  async #setUp({ setup, head }) {
    await this.#clearTheWay();
    await api.putSetup(setup, head.pace === 'step');
  }

  /** An order that was left in the middle of its steps is let through first, or its worker would wait on. */
  async #clearTheWay() {
    const { waiting } = await api.labState();
    if (!waiting || waiting.length === 0) return;
    await api.putSetup({ ...this.#store.state.setup, fault: null }, false);
    await api.quiet();
  }

  /** Leaves the table: what still arrives is not of this page's run any more. */
  clear() {
    this.#turn += 1;
    this.#store.set({ run: null, seen: false, focus: -1, refusal: null, head: playhead(this.#store.state.head.pace) });
  }

  /** Puts a run on the stage that is over: nothing is asked of the server. @param {import('./types.js').RunDocument} document @param {number} at  rows shown; -1 for none, ready to play */
  show(document, at) {
    this.#turn += 1;
    const run = runOf(document);
    const pace = this.#store.state.head.pace;
    this.#store.set({ run, seen: false, focus: -1, refusal: null, head: { ...playhead(pace), at: Math.max(0, at), playing: false } });
  }

  /** A run that the server keeps. @param {string} id @param {number} at */
  async fetch(id, at) {
    const turn = ++this.#turn;
    this.#store.set({ run: null, seen: false, refusal: null });
    try {
      const document = documentOf(await api.runDocument(id));
      if (turn !== this.#turn) return;
      if (!document) throw new api.ProblemError({ title: id, status: 0, detail: id });
      this.show(document, at);
    } catch (error) {
      if (turn === this.#turn && error instanceof api.ProblemError) this.#store.set({ refusal: { place: 'run', problem: error.problem } });
    }
  }

  /** Opens a run that was made before, for instance by this tab before a reload. @param {string} id @param {number} [at]  rows shown */
  async restore(id, at = -1) {
    const { state } = this.#store;
    const turn = this.#begin(state.setup, state.key);
    try {
      const [events, statement] = await Promise.all([api.orderEvents(id), api.statement()]);
      const line = statement.ledger.lines.find((l) => l.order_id === id);
      if (turn !== this.#turn) return;
      if (!line || events.length === 0) throw new Error('unknown run');
      const setup = { ...state.setup, currency: line.currency };
      this.#store.setRun({ phase: 'running', orderId: id, amount: line.amount, setup, reopened: true });
      this.#endId = events.at(-1)?.id ?? Infinity;
      this.#hear(events);
      const shown = at < 0 ? this.#store.rows.length : Math.min(at, this.#store.rows.length);
      this.#store.set({ head: { ...playhead(state.head.pace), at: shown, playing: at < 0 } });
      await this.settle(turn);
    } catch {
      if (turn === this.#turn) this.clear();
    }
  }

  /** Waits until nothing is on its way, then asks the bank. */
  async settle(turn = this.#turn) {
    this.#store.setRun({ phase: 'running', trouble: '' });
    const silentUntil = performance.now() + 20000;
    for (let wait = 300; turn === this.#turn; wait = Math.min(3000, wait * 1.6)) {
      if (this.#waits()) {
        await pause(300);
        continue;
      }
      try {
        const quiet = await api.quiet();
        if (turn !== this.#turn) return;
        if (quiet) await this.#judge(turn);
        else if (this.#store.state.run?.stepping) continue;
        else await this.#stop(turn);
        return;
      } catch (error) {
        if (performance.now() > silentUntil) return void this.#store.setRun({ phase: 'stopped', queues: [], trouble: troubleOf(error) });
        await pause(wait);
      }
    }
  }

  /** A process stands still until a person lets it go: nothing will be quiet before. */
  #waits() {
    const { run } = this.#store.state;
    return run?.stepping === true && heldOf(run.events).length > 0;
  }

  /** @param {import('./types.js').Setup} setup @param {string} key */
  #begin(setup, key) {
    this.#endId = Infinity;
    const { head } = this.#store.state;
    const keys = setup.pay === 'reload' ? [...leftOpen(sessionStorage), key] : [key];
    if (setup.pay === 'reload') leaveOpen(sessionStorage, keys);
    const run = { ...newRun(setup, key, this.#store.price), keys, stepping: head.pace === 'step' };
    this.#store.set({ run, seen: false, focus: -1, refusal: null, undo: '', head: playhead(head.pace) });
    return ++this.#turn;
  }

  /** @param {number} turn */
  async #checkout(turn) {
    const { run } = this.#store.state;
    for (let i = 0; run && turn === this.#turn; i += 1) {
      try {
        return (await api.checkout(run.setup, run.key, run.stepping ? 660000 : 15000)).order;
      } catch (error) {
        const ended = !(error instanceof api.ProblemError) || definite(error.status) || i >= tries;
        if (ended) throw error;
        await pause(error.retryAfter ? error.retryAfter * 1000 : Math.min(2000, 250 * 2 ** i));
      }
    }
    return undefined;
  }

  /** Another window chose for the next order; here nothing changes unless its person wants it. @param {Event} event */
  #noticed(event) {
    const { state } = this.#store;
    const strategy = event.detail.settings?.strategy ?? '';
    const fresh = event.step === 'settings.changed' && Date.parse(event.at) > this.#since;
    if (fresh && state.route.view === 'lab') this.#store.set({ elsewhere: strategy === state.setup.strategy ? '' : strategy });
  }

  /** @param {Event[]} events */
  #hear(events) {
    this.#heard = merge(this.#heard, events);
    const { run } = this.#store.state;
    if (!run || run.phase === 'finished' || run.phase === 'stopped') return;
    const orderId = run.orderId || orderIdIn(this.#heard, run.key);
    const mine = eventsOf(this.#heard, orderId, run.keys, this.#endId);
    const same = mine.length === run.events.length && mine.at(-1) === run.events.at(-1);
    if (!same || orderId !== run.orderId) this.#store.setRun({ orderId, events: mine });
  }

  /** @param {number} turn */
  async #judge(turn) {
    const id = this.#store.state.run?.orderId ?? '';
    const ids = [...new Set([id, ...ordersIn(this.#store.state.run?.events ?? [])])];
    const [statement, verdicts, ...told] = await Promise.all([
      api.statement(), Promise.all(ids.map(api.verdict)), ...ids.map(api.orderEvents),
    ]);
    const events = told.flat();
    const last = Math.max(0, ...events.map((event) => event.id));
    for (let i = 0; i < 20 && this.#stream.lastId < last; i += 1) await pause(100);
    if (turn !== this.#turn) return;
    this.#hear(events);
    spend(sessionStorage);
    leaveOpen(sessionStorage, []);
    this.#store.setRun({ phase: 'finished', verdict: ids.length > 1 ? ofOnePurchase(verdicts) : verdicts[0], statement, orderIds: ids });
  }

  /** @param {number} turn */
  async #stop(turn) {
    const { queues } = await api.labState();
    if (turn === this.#turn) this.#store.setRun({ phase: 'stopped', queues });
  }

  /** @param {number} turn @param {'pay'|'setup'} place @param {unknown} error @returns {undefined} */
  #refuse(turn, place, error) {
    if (!(error instanceof api.ProblemError)) throw error;
    if (turn !== this.#turn) return undefined;
    this.clear();
    if (place === 'pay' && definite(error.status)) spend(sessionStorage);
    this.#store.set({ refusal: { place, problem: error.problem } });
    return undefined;
  }
}

/** @param {unknown} error  why the lab could not tell; silence is the banner's matter */
const troubleOf = (error) => (error instanceof api.ProblemError && error.status > 0
  ? `${error.status} ${error.problem.detail || error.problem.title}` : '');

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
