import { due, pause, play, seek, tick } from './model/playhead.js';

/** Moves the playhead in time, and by hand. @typedef {import('./store.js').Store} Store */
export class Player {
  #timer = 0;
  #store;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    store.add(() => this.#schedule());
  }

  #schedule() {
    clearTimeout(this.#timer);
    const wait = due(this.#store.state.head, this.#store.rows, performance.now());
    if (wait !== null) this.#timer = window.setTimeout(() => this.#move(), wait);
  }

  #move() {
    const { head } = this.#store.state;
    const next = tick(head, this.#store.rows, performance.now());
    if (next === head) this.#schedule();
    else this.#store.set({ head: next, focus: -1 });
  }

  /** @param {number} at */
  seek(at) {
    const { rows, state } = this.#store;
    this.#store.set({ head: seek(state.head, at, rows.length), focus: -1 });
  }

  /** @param {number} by */
  step(by) { this.seek(this.#store.state.head.at + by); }

  toggle() {
    const { head, run } = this.#store.state;
    const live = run?.phase === 'sending' || run?.phase === 'running';
    const length = this.#store.rows.length;
    const playing = head.playing && (live || head.at < length);
    if (playing) this.#store.set({ head: pause(head) });
    else if (live) this.#store.set({ head: { ...head, playing: true } });
    else this.#store.set({ head: play(head, length, performance.now()), focus: -1 });
  }

  /** From the first row. */
  replay() {
    this.#store.set({ head: play({ ...this.#store.state.head, at: 0 }, this.#store.rows.length, performance.now()), focus: -1 });
  }

  /** @param {'live'|'paced'|'step'} pace */
  setPace(pace) { this.#store.set({ head: { ...this.#store.state.head, pace } }); }
}
