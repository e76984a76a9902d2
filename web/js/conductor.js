import { haltsOf, stageBack, stageNext } from './model/beats.js';
import { stepsOf } from './model/lesson.js';
import { storyFault } from './model/catalogue.js';
import { busy } from './store.js';
import { stages } from './views.js';

/**
 * What an action of the keys does on the page that is open: on the stage it moves the run, in the lesson its beats.
 *
 * @typedef {import('./app.js').App} App
 * @typedef {import('./classroom.js').Classroom} Classroom
 * @typedef {import('./view/cover.js').Cover} Cover
 */
export class Conductor {
  /** @type {Record<string, (detail: string) => void>} */ #table;

  /** @param {App} app @param {Classroom} room @param {Cover} cover */
  constructor(app, room, cover) {
    this.app = app;
    this.room = room;
    this.cover = cover;
    this.#table = {
      next: () => this.next(), back: () => this.back(), run: () => this.#run(), crash: () => this.#crash(), reset: () => void app.reset(),
      step: (n) => this.#step(Number(n)), choose: (i) => this.#hand(Number(i), 1), drop: (i) => this.#hand(Number(i), -1),
      more: () => this.#focused(1), fewer: () => this.#focused(-1), totals: () => this.#totals(),
      code: () => app.store.set({ left: app.state.left === 'code' ? 'shop' : 'code' }),
      table: () => app.store.set({ tab: app.state.tab === 'table' ? 'diagram' : 'table' }),
      window: () => press('window'), full: fullScreen,
      blank: () => cover.toggle('blank'), help: () => cover.toggle('help'), close: () => this.#close(),
    };
  }

  /** @param {string} action  of the key table */
  do(action) {
    const [name, detail = ''] = action.split(':');
    this.#table[name]?.(detail);
  }

  /** A press in the notes window. @param {import('./net/channel.js').Order} order */
  order(order) {
    if (this.cover.open) this.cover.close();
    if (order === 'restart') this.room.restart();
    else if (order === 'reveal') this.#totals();
    else this.do(order);
  }

  get #onStage() { return stages.has(this.app.state.route.view); }

  next() {
    if (this.app.stepper.waiting.length > 0) return void this.app.stepper.goOn();
    if (!this.#onStage) return this.#lesson('next');
    const move = stageNext(this.#stage());
    if (move.do === 'seek') this.app.player.seek(move.to);
    if (move.do === 'play') this.app.player.toggle();
    if (move.do === 'begin') void this.app.pay();
    if (move.do === 'onward') this.#onward();
    return undefined;
  }

  back() {
    if (!this.#onStage) return this.#lesson('back');
    const move = stageBack(this.#stage());
    if (move.do === 'seek') return this.app.player.seek(move.to);
    return this.room.watching ? this.room.back() : history.back();
  }

  #stage() {
    const { run, head } = this.app.state;
    const { rows } = this.app.store;
    const live = run?.phase === 'sending' || run?.phase === 'running';
    const byRow = this.room.watching && this.room.scenario?.kind === 'step';
    return {
      run: run !== null, live, playing: head.playing || byRow, at: head.at, length: rows.length,
      halts: byRow ? rows.map((_, i) => i + 1) : haltsOf(rows),
    };
  }

  /** The end of a run leads back into the lesson, or on in the Story. */
  #onward() {
    if (this.room.watching) this.room.next();
    else if (this.app.state.route.view !== 'run') this.app.next();
    else this.#lesson('next');
  }

  /** Beside the stage next and back are the lesson's; from another view they first lead back to it. @param {'next'|'back'} way */
  #lesson(way) {
    if (this.app.state.route.view === 'lessons') this.room[way]();
    else if (this.room.course.scenario) location.hash = this.room.address;
  }

  #run() {
    if (!this.#onStage) return this.#lesson('next');
    return this.app.state.run && !busy(this.app.state) ? this.app.player.replay() : void this.app.pay();
  }

  /** Arms the crash between charge and ack for the next order, or takes it away. */
  #crash() {
    const { route, setup } = this.app.state;
    if (route.view === 'story' || route.view === 'lab') this.app.choose({ fault: setup.fault ? null : { ...storyFault } });
  }

  /** @param {number} n */
  #step(n) {
    const step = stepsOf(this.room.lessons)[n - 1];
    if (step) this.room.show(step.name);
  }

  /** @param {number} index @param {number} by */
  #hand(index, by) {
    const choice = this.room.scenario?.choices[index];
    if (choice) this.room.raise(choice.id, by);
  }

  /** A hand for the choice that has the focus. @param {number} by */
  #focused(by) {
    const choice = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.choice : undefined;
    if (choice !== undefined) this.room.raise(choice, by);
  }

  #totals() { this.room.set({ totals: !this.room.course.totals }); }

  #close() {
    if (this.cover.open) this.cover.close();
    else if (this.app.state.route.present) this.app.present(false);
  }
}

/** Presses what a view has for a key: the first visible element that says so. @param {string} what */
function press(what) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-does="${what}"]`));
  [...all].find((node) => node.checkVisibility())?.click();
}

function fullScreen() {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen().catch(() => undefined);
}
