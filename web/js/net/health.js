import { ProblemError, readyz } from './api.js';

/**
 * Whether the lab can be used: booting (with what is waited for), ready, a part missing, or gone. A process that is
 * killed on purpose is back at once, so nothing is reported before five seconds have passed.
 *
 * @typedef {{phase: 'loading'|'booting'|'ready'|'missing'|'gone', parts: import('../types.js').Part[], since: number, retryAt: number}} Health
 */

const grace = 5000;

export class HealthWatch extends EventTarget {
  /** @type {Health} */
  health = { phase: 'loading', parts: [], since: 0, retryAt: 0 };
  #badSince = 0;
  #wasReady = false;
  #timer = 0;
  #wait = 1000;

  /** Says whether something else shows that the lab lives, so that asking can wait. */
  alive = () => false;

  start() { void this.check(); }

  /** Asks now; the next question is timed by the answer. */
  async check() {
    clearTimeout(this.#timer);
    const next = await this.#ask();
    this.#later(next);
  }

  /** @param {number} wait */
  #later(wait) {
    this.#timer = window.setTimeout(() => {
      if (this.health.phase === 'ready' && this.alive()) this.#later(1000);
      else void this.check();
    }, wait);
  }

  async #ask() {
    try {
      const { ready, parts } = await readyz();
      this.#wait = 1000;
      return ready ? this.#ready(parts) : this.#unready(parts ?? []);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return this.#silent();
    }
  }

  /** @param {import('../types.js').Part[]} parts */
  #ready(parts) {
    this.#badSince = 0;
    this.#wasReady = true;
    this.#set('ready', parts ?? []);
    return 8000;
  }

  /** @param {import('../types.js').Part[]} parts */
  #unready(parts) {
    this.#badSince ||= Date.now();
    if (!this.#wasReady) this.#set('booting', parts);
    else if (Date.now() - this.#badSince > grace) this.#set('missing', parts);
    return 1000;
  }

  #silent() {
    this.#badSince ||= Date.now();
    if (Date.now() - this.#badSince <= grace) return 1000;
    this.#wait = Math.min(10000, this.#wait * 2);
    this.#set('gone', this.health.parts, Date.now() + this.#wait);
    return this.#wait;
  }

  /** @param {Health['phase']} phase @param {import('../types.js').Part[]} parts */
  #set(phase, parts, retryAt = 0) {
    this.health = { phase, parts, since: this.#badSince, retryAt };
    this.dispatchEvent(new CustomEvent('health', { detail: this.health }));
  }
}
