import { uuid } from './lib/uuid.js';
import { following, previous } from './model/beats.js';
import { courseOf, played, turnTo } from './model/course.js';
import { favourite, raise, total } from './model/hands.js';
import { lessonsOf, named, neighbour, runs, watched } from './model/lesson.js';
import { formatRoute } from './model/route.js';
import { enter, stopped } from './model/timer.js';
import { lab, ProblemError } from './net/api.js';
import { Channel } from './net/channel.js';
import { Playing } from './playing.js';

/**
 * The lesson of this window: what was asked, how many said what, what was run. Lessons, the slide, the presenter's
 * keys and the notes all act on this one.
 *
 * @typedef {import('./model/course.js').Course} Course
 * @typedef {{at: number, answer: string, n: number, total: number}} Done  what the class answered, 0 hands for one person
 */
export class Classroom {
  /** @type {import('./model/lesson.js').Lessons|null} */ lessons = null;
  /** Why there are none. */ trouble = '';
  /** @type {Record<string, Done>} */ done = {};
  channel = new Channel(uuid());
  /** Opens the list of the keys, once there is one. */ help = () => {};
  #learning = false;

  /** @param {import('./app.js').App} app @param {() => number} now  milliseconds; the one clock of the lesson */
  constructor(app, now) {
    this.app = app;
    this.now = now;
    /** @type {Course} */ this.course = courseOf(read(sessionStorage, 'doublecharge.class'));
    this.done = read(localStorage, 'doublecharge.lessons') ?? {};
    this.playing = new Playing((name, report, recorded) => this.#heard(name, report, recorded), () => this.app.store.set({}));
  }

  get scenario() { return named(this.lessons, this.course.scenario); }

  /** @param {Partial<Course>} patch */
  set(patch) {
    this.course = { ...this.course, ...patch };
    sessionStorage.setItem('doublecharge.class', JSON.stringify(this.course));
    this.tell();
    this.app.store.set({});
  }

  /** Says where the lesson is; a window with notes has none of its own. */
  tell() {
    if (this.course.scenario && this.app.state.route.view !== 'notes') this.channel.tell(this.course);
  }

  /** Reads the lessons once; asked again after it failed. */
  async learn() {
    if (this.lessons || this.#learning) return;
    this.#learning = true;
    try {
      this.lessons = lessonsOf(await lab('GET', 'scenarios'));
      this.trouble = this.lessons ? '' : 'none';
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.trouble = error.status === 404 ? 'none' : error.problem.detail || 'silent';
    }
    this.#learning = false;
    this.app.store.set({});
  }

  /** A scenario comes on the page. In front of a class that starts the clock. @param {string} name */
  open(name) {
    const timer = this.app.state.route.present ? enter(this.course.timer, name, this.now()) : this.course.timer;
    if (name !== this.course.scenario) {
      this.playing.leave();
      this.set({ ...turnTo(this.course, name), timer });
    } else if (timer !== this.course.timer) this.set({ timer });
  }

  /** @param {string} choice @param {number} by */
  raise(choice, by) { this.set({ hands: raise(this.course.hands, this.course.scenario, choice, by) }); }

  /** One person's answer. @param {string} choice */
  choose(choice) { this.set({ mine: { ...this.course.mine, [this.course.scenario]: choice } }); }

  restart() { this.set({ timer: enter(stopped, this.course.scenario, this.now()) }); }

  /** Makes the run. @param {string} [name] */
  async run(name = this.course.scenario) {
    const { [name]: _, ...reports } = this.course.reports;
    this.set({ reports });
    await this.playing.start(name);
  }

  /** Shows the last one that went well. */
  async recording() { await this.playing.recording(this.course.scenario); }

  /** @param {string} name @param {import('./model/lesson.js').Report} report @param {boolean} recorded */
  #heard(name, report, recorded) {
    const { reports, recorded: before } = this.course;
    this.set({ reports: { ...reports, [name]: report }, recorded: { ...before, [name]: recorded } });
    if (!played(this.course, name)) return;
    this.#remember(name);
    if (name === this.course.scenario && this.course.beat === 'run') this.next();
  }

  /** @param {string} name */
  #remember(name) {
    const tally = this.course.hands[name];
    const answer = favourite(tally) || (total(tally) === 0 ? this.course.mine[name] ?? '' : '');
    this.done = { ...this.done, [name]: { at: this.now(), answer, n: tally?.[answer] ?? 0, total: total(tally) } };
    localStorage.setItem('doublecharge.lessons', JSON.stringify(this.done));
  }

  /** What the beats depend on. @returns {import('./model/beats.js').Known} */
  get known() {
    const { scenario, course } = this;
    const over = played(course, course.scenario);
    return {
      hands: total(course.hands[course.scenario]), playable: scenario !== null && runs(scenario), over,
      runs: scenario && over && watched(scenario) ? course.reports[course.scenario].runs.length : 0,
    };
  }

  /** The next beat. */
  next() {
    const place = following(this.course, this.known);
    if (place) this.#go(place);
    else this.turn(1);
  }

  back() {
    const place = previous(this.course, this.known);
    if (place) this.#go(place);
    else this.turn(-1);
  }

  /** The step after or before; at the ends it stays. @param {1|-1} by */
  turn(by) {
    const scenario = neighbour(this.lessons, this.course.scenario, by);
    if (scenario) this.show(scenario.name);
  }

  /** @param {string} name */
  show(name) {
    this.open(name);
    location.hash = this.address;
  }

  /** @param {import('./model/beats.js').Place} place */
  #go(place) {
    const { scenario, course } = this;
    this.set({ ...place, totals: place.beat === 'guesses' || (place.beat !== 'question' && course.totals) });
    if (place.beat === 'answer' && scenario && !runs(scenario)) this.#remember(scenario.name);
    if (place.beat === 'run' && !this.playing.busy) void this.run();
    if (place.beat === 'watch') this.#watch(place.watch);
    else if (this.app.state.route.view !== 'lessons') location.hash = this.address;
  }

  /** A run comes on the stage: the document itself, where it is at hand. @param {number} index */
  #watch(index) {
    const id = this.course.reports[this.course.scenario].runs[index];
    const document = this.playing.documents.get(id);
    if (document) this.app.openDocument(document);
    else location.hash = formatRoute({ view: 'run', id, present: this.app.state.route.present });
  }

  /** The step's run that is on the stage is the one that is watched. */
  get watching() {
    const { route } = this.app.state;
    const { beat, watch, reports, scenario } = this.course;
    return beat === 'watch' && route.view === 'run' && reports[scenario]?.runs[watch] === route.id;
  }

  /** Where the scenario's question stands. */
  get address() {
    const { present } = this.app.state.route;
    return formatRoute({ view: 'lessons', chapter: this.scenario?.chapter ?? '', scenario: this.course.scenario, present });
  }
}

/** @type {WeakMap<import('./app.js').App, Classroom>} */
const rooms = new WeakMap();

/** The one classroom of a page. @param {import('./app.js').App} app @param {() => number} [now]  the clock, for who asks first */
export function classroomOf(app, now = Date.now) {
  const room = rooms.get(app) ?? new Classroom(app, now);
  rooms.set(app, room);
  return room;
}

/** @param {Storage} store @param {string} key */
function read(store, key) {
  try { return JSON.parse(store.getItem(key) ?? 'null'); } catch { return null; }
}
