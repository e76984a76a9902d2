import { addStyle, h } from '../lib/dom.js';
import { merge, placeOf } from '../model/matrix.js';
import { faceOf, nothing, sheet } from '../model/matrix-sheet.js';
import { ProblemError } from '../net/api.js';
import { follow, latest, start } from '../net/matrix.js';
import { matrixBar } from './matrix-bar.js';
import { matrixGrid } from './matrix-grid.js';
import { matrixList } from './matrix-list.js';

/** @typedef {import('../model/matrix-sheet.js').Own} Own */

const kept = 'doublecharge.matrix';

/** Every strategy against every fault. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mount(root, app) {
  const narrow = matchMedia('(max-width: 767px)');
  const matrix = new Matrix(app);
  const on = {
    press: matrix.press, row: matrix.row, choose: matrix.choose,
    /** @param {string} strategy @param {string} fault */
    run: (strategy, fault) => void matrix.run({ strategy: [strategy], fault: [fault] }),
  };
  const top = h('div.matrix-bar');
  const grid = h('div.matrix-grid');
  const phone = h('div.matrix-list');
  void addStyle('css/matrix.css').then(() => root.append(top, grid, phone));
  const drawBar = matrixBar(top, { mode: matrix.mode, all: () => void matrix.run({}), cell: matrix.again });
  const drawGrid = matrixGrid(grid, on);
  const drawList = matrixList(phone, on);

  matrix.draw = () => {
    const { state, own } = matrix;
    if (state.route.view !== 'matrix') return;
    const view = sheet(state.strategies, own, state.words);
    drawBar(own, matrix.idle, view.groups.flat(2).some(({ cells }) => cells.some(({ face }) => face.count !== null)), state.words);
    grid.hidden = narrow.matches;
    phone.hidden = !narrow.matches;
    (narrow.matches ? drawList : drawGrid)(view, own.chosen, matrix.idle, state.words);
  };
  let ready = true;
  app.store.add(({ health }) => {
    const before = ready;
    ready = health.phase === 'ready';
    if (ready && !before) void matrix.learn();
    matrix.draw();
  });
  narrow.addEventListener('change', () => matrix.draw());
  matrix.draw();
  return { show: () => void matrix.learn() };
}

/** What a person does with the matrix, and what the lab says of it. */
class Matrix {
  /** @type {Own} */ own;
  draw = () => undefined;

  /** @param {import('../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.own = { ...nothing(), ...restored() };
  }

  get state() { return this.app.state; }

  get idle() { return this.state.health.phase === 'ready' && this.own.job?.state !== 'running'; }

  /** @param {Partial<Own>} patch */
  set(patch) {
    this.own = { ...this.own, ...patch };
    keep(this.own);
    this.draw();
  }

  /** Guessing begins with everything covered. @param {Own['mode']} mode */
  mode = (mode) => { if (mode !== this.own.mode) this.set({ mode, open: [] }); };

  /** @param {string} strategy @param {string} fault */
  choose = (strategy, fault) => {
    const { chosen } = this.own;
    if (chosen.strategy !== strategy || chosen.fault !== fault) this.set({ chosen: { strategy, fault } });
  };

  /** @param {string} strategy @param {string} fault */
  press = (strategy, fault) => {
    const told = this.state.strategies.find(({ id }) => id === strategy);
    if (!told) return;
    const place = placeOf(strategy, fault);
    switch (faceOf(this.own, told, fault).press) {
      case 'open': location.hash = `#/run/${this.own.results[place].run}`; break;
      case 'uncover': this.set({ open: [...this.own.open, place] }); break;
      case 'run': void this.run({ strategy: [strategy], fault: [fault] }); break;
      default:
    }
  };

  /** Runs the row or, where some of it is still covered, uncovers it. @param {string} strategy */
  row = (strategy) => {
    const told = this.state.strategies.find(({ id }) => id === strategy);
    const covered = told?.cells.filter(({ fault }) => faceOf(this.own, told, fault).press === 'uncover') ?? [];
    if (covered.length === 0) void this.run({ strategy: [strategy] });
    else this.set({ open: [...this.own.open, ...covered.map(({ fault }) => placeOf(strategy, fault))] });
  };

  /** Runs the chosen cell once more. */
  again = () => {
    const { strategy, fault } = this.own.chosen;
    if (fault) void this.run({ strategy: [strategy], fault: [fault] });
  };

  /** @param {import('../model/matrix-sheet.js').Asked} asked */
  async run(asked) {
    if (!this.idle) return;
    await this.#attempt(async () => this.#follow(await start(asked), asked), true);
  }

  /** What the lab ran last, also from another window. Where it does not answer, its health says so. */
  async learn() {
    if (this.own.job?.state === 'running') return;
    await this.#attempt(async () => {
      const job = await latest();
      if (job) await this.#follow(job, {});
    }, false);
  }

  /** @param {import('../model/matrix.js').Job} first @param {Own['asked']} asked */
  async #follow(first, asked) {
    const begun = new Date().toISOString();
    this.set({ asked, trouble: '' });
    await follow(first, (job) => this.set({ job, results: merge(this.own.results, job, begun) }));
  }

  /** @param {() => Promise<void>} work @param {boolean} asked  whether a person waits for it */
  async #attempt(work, asked) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.set({ job: null, trouble: !asked ? '' : error.status === 0 ? 'health.gone' : error.message });
    }
  }
}

/** A reload finds the same matrix. @param {Own} own */
function keep({ mode, open, results, chosen }) {
  sessionStorage.setItem(kept, JSON.stringify({ mode, open, results, chosen }));
}

/** @returns {Partial<Own>} */
function restored() {
  try { return JSON.parse(sessionStorage.getItem(kept) ?? '{}') ?? {}; } catch { return {}; }
}
