import { grouped, ladder } from './catalogue.js';

/**
 * The matrix: every strategy against every fault. What is asked comes from the strategies, what is answered only from
 * cells that have really run; what is expected of a cell is never looked at here.
 *
 * @typedef {import('../types.js').Strategy} Strategy
 * @typedef {import('../types.js').Phrase} Phrase
 * @typedef {import('../types.js').Text} Text
 * @typedef {object} Cell  as GET lab/matrix tells it
 * @property {string} strategy
 * @property {string} fault
 * @property {string} state
 * @property {string} [run]
 * @property {string} [verdict]
 * @property {string[]} wrong
 * @property {number} charges
 * @property {boolean} ok       it came as the table of expectations says
 * @property {Text} [reason]
 * @property {string} [error]
 * @property {string} [commit]  filled in by merge
 * @property {string} [at]      filled in by merge
 * @typedef {{id: string, state: string, done: number, total: number, cells?: Cell[]|null, commit: string, at: string}} Job
 * @typedef {Record<string, Cell>} Results  by place
 * @typedef {{id: string, title: Text}} Column
 * @typedef {'ok'|'warn'|'bad'|'unk'|'idle'|'none'|'covered'} Tone
 * @typedef {{mark: string, count: number|null, tone: Tone, press: 'open'|'run'|'uncover'|'', text: Phrase, differs: boolean}} Face
 */

/** Faults in the order of time: of the worker, of the call to the bank, of the broker, of what is remembered, of the customer. */
const columnOrder = [
  ...['received', 'checked', 'charging', 'charged', 'applied', 'recorded', 'acked'].map((step) => `crash:worker.${step}`),
  'stripe.request_lost', 'stripe.response_lost', 'stripe.charged_then_500', 'broker.duplicate', 'two-workers',
  'redis.flush', 'key-forgotten', 'lookup-lost', 'lease-end', 'second-purchase',
];

/** @param {string} id */
const timeOf = (id) => (columnOrder.includes(id) ? columnOrder.indexOf(id) : columnOrder.length);

/** Every fault that some strategy can meet, in the order of time. @param {Strategy[]} strategies @returns {Column[]} */
export function columns(strategies) {
  /** @type {Map<string, Column>} */
  const found = new Map();
  for (const { fault, title } of strategies.flatMap((s) => s.cells)) found.set(fault, { id: fault, title });
  return [...found.values()].sort((a, b) => timeOf(a.id) - timeOf(b.id));
}

/** The strategies in groups: the ladder, then the others by what they teach. @param {Strategy[]} strategies @returns {Strategy[][]} */
export function rowGroups(strategies) {
  return [ladder, ...grouped(strategies).map((group) => group.ids)]
    .map((ids) => ids.flatMap((id) => strategies.find((s) => s.id === id) ?? []))
    .filter((group) => group.length > 0);
}

/** @param {string} strategy @param {string} fault */
export const placeOf = (strategy, fault) => `${strategy} ${fault}`;

/** Whether the strategy has such a moment at all. @param {Strategy} strategy @param {string} fault */
export const applies = (strategy, fault) => strategy.cells.some((cell) => cell.fault === fault);

/** A matrix on its way has not written down yet when it began. @param {string} at */
const stamped = (at) => (at.startsWith('0001') ? '' : at);

/**
 * Results with those of a job over them: a part of the matrix that ran again replaces itself and nothing else. What
 * is newer stays, whoever brings the older.
 * @param {Results} results @param {Job} job @param {string} begun  when, where the job does not tell @returns {Results}
 */
export function merge(results, job, begun) {
  const at = stamped(job.at) || begun;
  const merged = { ...results };
  for (const cell of job.cells ?? []) {
    const place = placeOf(cell.strategy, cell.fault);
    const older = merged[place];
    if (cell.state !== 'run' || !(cell.verdict || cell.error)) continue;
    if (older && Date.parse(older.at ?? '') > Date.parse(at)) continue;
    merged[place] = { ...cell, commit: job.commit || older?.commit || '', at };
  }
  return merged;
}

/**
 * Whether a cell is on its way: asked for, and not among what the job has done.
 * @param {{strategy?: string[], fault?: string[]}} asked @param {Job} job @param {string} strategy @param {string} fault
 */
export function onItsWay(asked, job, strategy, fault) {
  if (job.state !== 'running') return false;
  if (asked.strategy && !asked.strategy.includes(strategy)) return false;
  if (asked.fault && !asked.fault.includes(fault)) return false;
  return !(job.cells ?? []).some((cell) => cell.strategy === strategy && cell.fault === fault);
}

/** @type {Record<string, {mark: string, tone: Tone}>} */
const shapes = {
  'charged-once': { mark: '✓', tone: 'ok' },
  'double-charged': { mark: '✕', tone: 'bad' },
  'not-charged': { mark: '∅', tone: 'warn' },
  'sale-lost': { mark: '∅', tone: 'bad' },
  declined: { mark: '⊘', tone: 'idle' },
};

/**
 * What stands in a cell: a count and a shape, a sentence that says the same, and what a press does.
 * @param {Cell|undefined} cell @param {{applies: boolean, covered: boolean, running: boolean}} how @returns {Face}
 */
export function face(cell, how) {
  /** @param {string} mark @param {Tone} tone @param {Face['press']} press @param {string} key */
  const blank = (mark, tone, press, key) => ({ mark, count: null, tone, press, text: { key }, differs: false });
  if (!how.applies) return blank('', 'none', '', 'matrix.says.none');
  if (how.covered) return blank('?', 'covered', 'uncover', 'matrix.says.covered');
  if (how.running) return blank('…', 'idle', '', 'matrix.says.running');
  if (!cell) return blank('·', 'idle', 'run', 'matrix.says.idle');
  if (cell.error) return { ...blank('?', 'unk', cell.run ? 'open' : 'run', 'matrix.says.error'), text: { key: 'matrix.says.error', params: { detail: cell.error } } };
  const wrongEffect = cell.verdict === 'charged-once' && cell.wrong.length > 0;
  const { mark, tone } = wrongEffect ? { mark: '!', tone: /** @type {Tone} */ ('warn') } : shapes[cell.verdict ?? ''] ?? { mark: '?', tone: 'unk' };
  const said = wrongEffect ? 'effect' : cell.verdict ?? 'unknown';
  return { mark, count: cell.charges, tone, press: 'open', text: { key: `matrix.says.${said}`, params: { n: cell.charges } }, differs: !cell.ok };
}

/**
 * Where the shown results come from: the oldest and the newest, and every commit among them.
 * @param {Results} results @returns {{from: string, to: string, commits: string[]}|null}
 */
export function origin(results) {
  const cells = Object.values(results).map(({ at = '', commit = '' }) => ({ at, commit })).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  if (cells.length === 0) return null;
  const commits = [...new Set(cells.map(({ commit }) => commit))].filter(Boolean);
  return { from: cells[0].at, to: cells[cells.length - 1].at, commits };
}
