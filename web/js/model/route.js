import { actions, acts, keyHabits, points, skips, storyFault, times, troubles } from './catalogue.js';

/**
 * The address: view, set-up, run and playhead. A link opens ready, never running, and never fails: what is not
 * understood falls back to act 1 of the Story.
 *
 * @typedef {import('../types.js').Fault} Fault
 * @typedef {'story'|'lab'|'run'|'compare'|'matrix'|'explore'|'lessons'|'notes'} View
 * @typedef {object} Route
 * @property {View} view
 * @property {number} act         of the Story; 0 elsewhere
 * @property {string} strategy    of the Lab, or the one the Explorer shows; "" where there is none
 * @property {Fault|null} fault
 * @property {string} pay         how the shop makes its key
 * @property {string} a           the strategies that are compared
 * @property {string} b
 * @property {string} chapter     of the Lessons
 * @property {string} scenario
 * @property {string} id          of the run that is shown
 * @property {boolean} present
 * @property {string} lang
 * @property {string} theme
 * @property {string} run         of the stage, opened again after a reload
 * @property {number} at          its playhead, in rows; -1 where none is named
 */

const views = /** @type {const} */ (['story', 'lab', 'run', 'compare', 'matrix', 'explore', 'lessons', 'notes']);
const named = /^[0-9a-zA-Z_.:-]{1,80}$/;

/** @param {string} hash  the part of the address from its # on: "#/lab?strategy=seen-set&fault=worker.acked" @returns {Route} */
export function parseRoute(hash) {
  const text = hash.replace(/^#\/?/, '');
  const cut = text.search(/[?&]/);
  const path = (cut < 0 ? text : text.slice(0, cut)).split('/');
  const query = new URLSearchParams(cut < 0 ? '' : text.slice(cut + 1));
  /** @param {string} name */
  const word = (name) => wordOf(query.get(name));
  const view = oneOf(path[0], [...views]) || 'story';
  const act = view === 'story' ? acts.find((a) => String(a.id) === path[1]) ?? acts[0] : null;
  return {
    view: /** @type {View} */ (view),
    act: act?.id ?? 0,
    strategy: act?.strategy ?? (view === 'lab' ? word('strategy') || 'naive' : word('strategy')),
    fault: act ? act.fault && { ...act.fault } : parseFault(query),
    pay: oneOf(query.get('pay'), keyHabits) || keyHabits[0],
    a: word('a') || 'naive',
    b: word('b') || 'seen-set-and-key',
    chapter: view === 'lessons' ? wordOf(path[1]) : '',
    scenario: view === 'lessons' ? wordOf(path[2]) : '',
    id: view === 'run' ? wordOf(path[1]) : '',
    present: query.get('present') === '1',
    lang: oneOf(query.get('lang'), ['en', 'tr']),
    theme: oneOf(query.get('theme'), ['light', 'dark']),
    run: word('run'),
    at: /^\d{1,5}$/.test(query.get('at') ?? '') ? Number(query.get('at')) : -1,
  };
}

/** @param {URLSearchParams} query @returns {Fault|null} */
function parseFault(query) {
  const point = oneOf(query.get('fault'), [...points, ...troubles]);
  if (!point) return null;
  const action = troubles.includes(point) ? '' : oneOf(query.get('action'), actions) || actions[0];
  return { point, action, times: among(query.get('times'), times), skip: among(query.get('skip'), skips) };
}

/** @param {Partial<Route>} route @returns {string} */
export function formatRoute(route) {
  const { view = 'story', act = 1, strategy, fault, chapter, scenario, id, present, run, at = -1, pay } = route;
  const query = new URLSearchParams();
  const path = [view === 'story' ? (act > 1 ? `story/${act}` : '') : view];
  if (view === 'lessons') path.push(...[chapter, scenario].map((p) => p ?? '').filter(Boolean));
  if (view === 'run' && id) path.push(id);
  if (view === 'compare') {
    query.set('a', route.a ?? '');
    query.set('b', route.b ?? '');
  }
  if ((view === 'lab' || view === 'explore') && strategy) query.set('strategy', strategy);
  if ((view === 'lab' || view === 'compare') && fault) addFault(query, fault);
  if (view === 'lab' && pay && pay !== keyHabits[0]) query.set('pay', pay);
  if (present) query.set('present', '1');
  if (run && view !== 'run') query.set('run', run);
  if (at >= 0 && (run || view === 'run')) query.set('at', String(at));
  const text = query.toString();
  return `#/${path.join('/')}${text ? `?${text}` : ''}`;
}

/** @param {URLSearchParams} query @param {Fault} fault */
function addFault(query, { point, action, times: count, skip }) {
  query.set('fault', point);
  if (action) query.set('action', action);
  if (count !== 1) query.set('times', String(count));
  if (skip) query.set('skip', String(skip));
}

/** @param {string|null|undefined} value */
const wordOf = (value) => (named.test(value ?? '') ? String(value) : '');

/** @param {string|null|undefined} value @param {readonly string[]} allowed */
const oneOf = (value, allowed) => (value && allowed.includes(value) ? value : '');

/** @param {string|null} value @param {number[]} allowed  the first is the default */
const among = (value, allowed) => (allowed.includes(Number(value)) && value !== null ? Number(value) : allowed[0]);
