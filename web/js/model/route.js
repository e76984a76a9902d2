import { actions, acts, points, storyFault, strategies, times } from './catalogue.js';

/** @typedef {import('../types.js').Setup} Setup */
/** @typedef {{view: 'story'|'lab', act: number, strategy: string, fault: import('../types.js').Fault|null,
 *   lang: string, theme: string, run: string, at: number}} Route */

/**
 * Reads an address. What it does not understand becomes act 1 of the Story: a link never fails.
 * @param {string} hash  the part of the address from its # on: "#/lab?strategy=seen-set&fault=worker.acked"
 * @returns {Route}
 */
export function parseRoute(hash) {
  const text = hash.replace(/^#\/?/, '');
  const cut = text.search(/[?&]/);
  const path = cut < 0 ? text : text.slice(0, cut);
  const query = new URLSearchParams(cut < 0 ? '' : text.slice(cut + 1));
  const common = {
    lang: oneOf(query.get('lang'), ['en', 'tr']),
    theme: oneOf(query.get('theme'), ['light', 'dark']),
    run: /^[0-9a-zA-Z_-]{1,64}$/.test(query.get('run') ?? '') ? String(query.get('run')) : '',
    at: Math.max(0, Number.parseInt(query.get('at') ?? '', 10) || 0),
  };
  const [view, number] = path.split('/');
  if (view === 'lab') {
    const strategy = oneOf(query.get('strategy'), strategies.map((s) => s.id)) || strategies[0].id;
    return { view: 'lab', act: 0, strategy, fault: parseFault(query), ...common };
  }
  const act = acts.find((a) => String(a.id) === number) ?? acts[0];
  return { view: 'story', act: act.id, strategy: act.strategy, fault: { ...storyFault }, ...common };
}

/** @param {URLSearchParams} query */
function parseFault(query) {
  const point = oneOf(query.get('fault'), points);
  if (!point) return null;
  const action = oneOf(query.get('action'), actions) || actions[0];
  const count = Number(query.get('times'));
  return { point, action, times: times.includes(count) ? count : 1 };
}

/** @param {Pick<Route, 'view'|'act'|'strategy'|'fault'>} route @param {{run?: string}} [extra] */
export function formatRoute(route, extra = {}) {
  const query = new URLSearchParams();
  let path = '/';
  if (route.view === 'story' && route.act > 1) path = `/story/${route.act}`;
  if (route.view === 'lab') {
    path = '/lab';
    query.set('strategy', route.strategy);
    if (route.fault) {
      query.set('fault', route.fault.point);
      query.set('action', route.fault.action);
      query.set('times', String(route.fault.times));
    }
  }
  if (extra.run) query.set('run', extra.run);
  const text = query.toString();
  return `#${path}${text ? `?${text}` : ''}`;
}

/** @param {string|null} value @param {string[]} allowed */
const oneOf = (value, allowed) => (value !== null && allowed.includes(value) ? value : '');
