import { grouped, ladder } from './catalogue.js';

/**
 * What the Explorer found, and what real processes say to it.
 *
 * @typedef {import('../types.js').Strategy} Strategy
 * @typedef {import('../types.js').Text} Text
 * @typedef {import('./counterexample.js').Violation} Violation
 * @typedef {import('./matrix.js').Cell} Cell
 * @typedef {{strategy: string, safe: boolean, schedules: number, states: number, violations: Violation[]}} Found
 * @typedef {{crashes: number, deliveries: number, workers: number}} Bounds
 * @typedef {object} Search  as GET lab/explore tells it
 * @property {string} id
 * @property {string} state
 * @property {number} done
 * @property {number} total
 * @property {Bounds} [bounds]
 * @property {Text[]} [assumptions]
 * @property {Found[]|null} [strategies]
 * @property {string} commit
 * @property {string} at
 */

/** Each adversary and the trouble that it brings into a schedule. @type {Array<[string, RegExp]>} */
const troubles = [
  ['crash', /:crash\b/], ['duplicate', /\bduplicate\b/], ['two-workers', /\bw2:/], ['lost-answer', /:charge=/],
  ['forgotten-key', /\bforget\b/], ['lease-end', /\blease-end\b/], ['lost-redis', /\bflush\b/], ['second-purchase', /\bbuy\b/],
];

/** The strategies in the order in which the page shows them. @param {Strategy[]} strategies @returns {Strategy[]} */
export function inOrder(strategies) {
  const ids = [...ladder, ...grouped(strategies).flatMap((group) => group.ids)];
  return ids.flatMap((id) => strategies.filter((strategy) => strategy.id === id));
}

/** @param {Search|null} search @param {string} strategy @returns {Found|null} */
export const foundOf = (search, strategy) => search?.strategies?.find((found) => found?.strategy === strategy) ?? null;

/**
 * The counterexamples, the shortest first. What all troubles together find is left out where one of them alone finds
 * it in as few events.
 * @param {Found} found @returns {Violation[]}
 */
export function examples({ violations }) {
  const length = (/** @type {Violation} */ v) => v.counterexample.length;
  const single = violations.filter(({ adversary }) => adversary !== 'combined');
  const more = violations.filter((v) => v.adversary === 'combined'
    && !single.some((other) => other.property === v.property && length(other) <= length(v)));
  return [...single, ...more].sort((a, b) => length(a) - length(b));
}

/** The faults of the matrix that try, on real processes, what the adversary does. @param {Strategy} strategy @param {Violation} violation @returns {string[]} */
export function columnsOf({ cells }, { adversary, schedule }) {
  const wanted = adversary === 'combined' ? troubles.filter(([, has]) => has.test(schedule)).map(([name]) => name) : [adversary];
  return cells.filter((cell) => wanted.includes(cell.adversary ?? '')).map(({ fault }) => fault);
}

/** Whether a run on real processes broke the same property. Where nothing was charged, that is what broke. @param {string} property @param {Pick<Cell, 'verdict'|'wrong'>} cell */
export function breaks(property, { verdict, wrong }) {
  const whole = /** @type {Record<string, string>} */ ({ charge: 'double-charged', lost: 'not-charged', 'sale-lost': 'sale-lost' })[property];
  return whole ? verdict === whole : verdict !== 'not-charged' && wrong.includes(property);
}

/**
 * What real processes say: the run that broke the same property, or that none did.
 * @param {string} property @param {Cell[]} cells @returns {{same: boolean, cell: Cell|null, failed: Cell|null}}
 */
export function compared(property, cells) {
  const ran = cells.filter((cell) => cell.state === 'run');
  const cell = ran.find((one) => !one.error && breaks(property, one)) ?? null;
  return { same: cell !== null, cell, failed: cell ? null : ran.find((one) => one.error) ?? null };
}
