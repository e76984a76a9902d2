import { lab, ProblemError } from './net/api.js';

/**
 * Plays a scenario on the lab: asks for it, follows its report until it is over, and offers the recording where the
 * run does not begin in time, or fails.
 *
 * @typedef {import('./model/lesson.js').Report} Report
 */
const patience = 3000;
/** A run is over in a few seconds. One that shows nothing for so long may be waiting behind another. */
const longWait = 12000;

export class Playing {
  busy = false;
  /** The recording may be shown instead. */ offered = false;
  /** What the lab said against it; "silent" where it said nothing, "none" where there is no recording. */ trouble = '';
  /** Runs that came with a recording, by id. @type {Map<string, import('./types.js').RunDocument>} */ documents = new Map();
  #turn = 0;
  #timer = 0;
  #hear; #changed;

  /** @param {(name: string, report: Report, recorded: boolean) => void} hear @param {() => void} changed */
  constructor(hear, changed) {
    this.#hear = hear;
    this.#changed = changed;
  }

  /** @param {string} name */
  async start(name) {
    const turn = this.#begin(patience);
    try {
      let report = await lab('POST', `scenarios/${encodeURIComponent(name)}/runs`);
      if (turn !== this.#turn) return;
      this.#offerAfter(longWait);
      for (let wait = 250; report.state === 'running'; wait = Math.min(1000, wait * 1.4)) {
        await new Promise((done) => { setTimeout(done, wait); });
        report = await lab('GET', `scenarios/${encodeURIComponent(name)}/runs/${report.id}`);
        if (turn !== this.#turn) return;
        if (report.state === 'running' && report.runs.length > 0) this.#hear(name, report, false);
      }
      this.#end(report.state === 'finished' ? '' : report.error || report.state, report.state !== 'finished');
      this.#hear(name, report, false);
    } catch (error) {
      this.#failed(turn, error);
    }
  }

  /** @param {string} name */
  async recording(name) {
    const turn = this.#begin(Infinity);
    try {
      const whole = await lab('GET', `scenarios/${encodeURIComponent(name)}/recording`);
      if (turn !== this.#turn) return;
      for (const run of whole.runs) this.documents.set(run.id, { ...run, source: 'recording' });
      this.#end('', false);
      this.#hear(name, { ...whole, runs: whole.runs.map((/** @type {{id: string}} */ run) => run.id) }, true);
    } catch (error) {
      if (error instanceof ProblemError && error.status === 404 && turn === this.#turn) this.#end('none', false);
      else this.#failed(turn, error);
    }
  }

  /** Another scenario is on the page: what is under way is not waited for. */
  leave() {
    this.#turn += 1;
    this.#end('', false);
  }

  /** @param {number} ms  until the recording is offered */
  #begin(ms) {
    this.busy = true;
    this.trouble = '';
    this.offered = false;
    this.#offerAfter(ms);
    this.#changed();
    return ++this.#turn;
  }

  /** @param {number} ms */
  #offerAfter(ms) {
    clearTimeout(this.#timer);
    if (ms === Infinity) return;
    this.#timer = window.setTimeout(() => { this.offered = true; this.#changed(); }, ms);
  }

  /** @param {string} trouble @param {boolean} offered */
  #end(trouble, offered) {
    clearTimeout(this.#timer);
    Object.assign(this, { busy: false, trouble, offered });
    this.#changed();
  }

  /** @param {number} turn @param {unknown} error */
  #failed(turn, error) {
    if (!(error instanceof ProblemError)) throw error;
    if (turn === this.#turn) this.#end(error.problem.detail || 'silent', true);
  }
}
