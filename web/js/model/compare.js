import { storyFault, troubles } from './catalogue.js';

/**
 * Two runs side by side: the same three lanes, the same step on the same line, one playhead over both.
 *
 * @typedef {import('../types.js').Row} Row
 * @typedef {import('../types.js').Fault} Fault
 * @typedef {{a: Row|null, b: Row|null, kind: string}} Line  null where that side has no such step
 * @typedef {{a: string, b: string, fault: Fault|null}} Pair
 */

export const lanes = ['queue', 'worker', 'bank'].map((id) => ({ id, name: id, number: 1 }));

/** What can break here: strategies differ in the worker and behind it. */
export const points = ['received', 'checked', 'charging', 'charged', 'applied', 'recorded', 'acked'].map((step) => `worker.${step}`);

/** An address without a fault compares the crash of the Story; "none" is nothing at all. @param {import('./route.js').Route} route @param {string} hash @returns {Pair} */
export function pairOf({ a, b, fault }, hash) {
  return { a, b, fault: fault ?? (/[?&]fault=none\b/.test(hash) ? null : { ...storyFault }) };
}

/** What is sent for one side. One worker process: the lane of the worker is one line. @param {string} strategy @param {Fault|null} fault */
export function orderOf(strategy, fault) {
  const { action, ...trouble } = fault ?? { action: '' };
  return { strategy, settings: { workers: 1 }, faults: fault ? [troubles.includes(fault.point) ? trouble : fault] : [] };
}

/** The lane of a comparison where a row's end stands; what worker and ledger do is drawn at the worker. @param {string} lane */
const laneOf = (lane) => (lane.startsWith('worker') || lane === 'ledger' ? 'worker' : lane === 'bank' ? 'bank' : 'queue');

const left = new Set(['mail', 'mailclaim', 'request', 'requestAgain', 'accepted', 'refused', 'stored', 'sentmark', 'sameOrder']);

/** The rows of a run in three lanes: what the customer sees is left out. @param {Row[]} rows @returns {Row[]} */
export const inLanes = (rows) => rows.filter((row) => !left.has(row.kind))
  .map((row) => ({ ...row, from: laneOf(row.from), to: laneOf(row.to) }));

/** Rows of one step are of one class, whatever came of it. @type {Record<string, string>} */
const classes = {
  redeliver: 'deliver', replayed: 'charged', declined: 'charged', unknown: 'charged', found: 'found', notfound: 'found',
  publish: 'sent', publishAgain: 'sent', decision: 'effects', retry: 'ack', dead: 'ack',
};

/** @param {Row} row */
const stepOf = ({ kind }) => classes[kind] ?? kind;

/** The longest common sequence of steps; what only one side has stands on a line of its own. @param {Row[]} a @param {Row[]} b @returns {Line[]} */
export function align(a, b) {
  const common = lengths(a, b);
  /** @type {Line[]} */
  const lines = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const both = i < a.length && j < b.length && stepOf(a[i]) === stepOf(b[j]);
    const onlyA = !both && (j >= b.length || (i < a.length && passes(a, i, b, j, common)));
    lines.push({ a: both || onlyA ? a[i] : null, b: both || !onlyA ? b[j] : null, kind: (onlyA || both ? a[i] : b[j]).kind });
    if (both || onlyA) i += 1;
    if (both || !onlyA) j += 1;
  }
  return lines;
}

/** Whether the row of a has no partner here: the way that keeps more in common or, where both do, the one that meets sooner. @param {Row[]} a @param {number} i @param {Row[]} b @param {number} j @param {number[][]} common */
function passes(a, i, b, j, common) {
  const [withoutA, withoutB] = [common[i + 1][j], common[i][j + 1]];
  return withoutA === withoutB ? wayTo(b[j], a, i) < wayTo(a[i], b, j) : withoutA > withoutB;
}

/** How many rows stand before the next one of the same step. @param {Row} row @param {Row[]} rows @param {number} from */
function wayTo(row, rows, from) {
  const at = rows.findIndex((other, i) => i >= from && stepOf(other) === stepOf(row));
  return at < 0 ? Infinity : at - from;
}

/** How many steps the rest of a from i and the rest of b from j have in common. @param {Row[]} a @param {Row[]} b @returns {number[][]} */
function lengths(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i][j] = stepOf(a[i]) === stepOf(b[j]) ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

/** How the lifelines of a side look on every line, also where it has no row. @param {Array<Row|null>} rows @param {import('./lifelines.js').Lives[]} lives  of its rows */
export function livesOf(rows, lives) {
  let next = 0;
  return rows.map((row) => {
    if (row) return lives[next++];
    const before = lives[next - 1];
    return Object.fromEntries(lanes.map(({ id }) => {
      const now = before?.[id].bottom ?? 'on';
      return [id, { top: now, bottom: now }];
    }));
  });
}

/** How many charges the rows tell of. @param {Array<Row|null>} rows */
export const chargesIn = (rows) => rows.filter((row) => row?.kind === 'charged').length;
