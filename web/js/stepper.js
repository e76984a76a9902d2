import { heldOf } from './model/held.js';
import { unfolded } from './model/lanes.js';
import * as api from './net/api.js';

/**
 * Step by step the real processes wait. The page lets those go that stand in a folded lane, so that a person steps
 * through what is drawn; the others go on when the person says so.
 */
export class Stepper {
  #store;
  /** Waits that were answered, by the id of their event. @type {Set<number>} */
  #answered = new Set();

  /** @param {import('./store.js').Store} store */
  constructor(store) {
    this.#store = store;
    store.add(({ run }) => {
      if (!run?.stepping || run.phase === 'finished') return;
      const open = unfolded(run.events, run.setup.fault);
      for (const held of heldOf(run.events)) {
        if (held.process.role !== 'worker' && !open.has(held.process.role)) void this.#letGo(held);
      }
    });
  }

  /** What waits for the person, as far as the playhead has come. */
  get waiting() {
    const { run } = this.#store.state;
    return run?.stepping && run.phase !== 'finished' ? heldOf(run.events).filter((held) => !this.#answered.has(held.id)) : [];
  }

  /** The longest waiting process goes on. */
  async goOn() {
    const [first] = this.waiting;
    if (first) await this.#letGo(first);
  }

  /** @param {import('./model/held.js').Held} held */
  async #letGo(held) {
    if (this.#answered.has(held.id)) return;
    this.#answered.add(held.id);
    await api.letGo(held.instance).catch(() => this.#answered.delete(held.id));
    this.#store.set({});
  }
}
