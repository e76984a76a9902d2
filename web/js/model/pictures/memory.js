import { guardsOf, keepsKey } from './guards.js';

/**
 * Picture 4: how long anybody remembers a charge, against how late a delivery can still come. One logarithmic axis
 * from a second to seven days. The worst case is drawn: the card is charged and the worker dies before it writes
 * anything, so our own memory knows nothing of it and the bank's alone counts.
 *
 * @typedef {{name: 'retries'|'dead'|'seen'|'bank', from: number, to: number, open: boolean, none: boolean, ticks: number[]}} Bar
 *   seconds; `open`: it goes on; `none`: there is none
 * @typedef {'again'|'absorbed'|'asked'|'marked'|'none'} Fate  of a delivery at a moment; "marked": our own mark stood before
 *   the charge; "none": none comes, the message was acked before the charge
 */

export const first = 1;
export const week = 7 * 86400;
/** How long the bank keeps a key and its answer. */
export const bankMemory = 86400;
/** The age at which the default asks the bank first: an hour before the bank may forget. */
const askFrom = bankMemory - 3600;

/** Where a moment stands on the axis, 0 to 1. @param {number} seconds */
export const place = (seconds) => Math.log(Math.min(week, Math.max(first, seconds)) / first) / Math.log(week / first);

/** The moment at a place of the axis, in whole seconds. @param {number} at */
export const moment = (at) => Math.round(first * (week / first) ** Math.min(1, Math.max(0, at)));

/** The marks on the axis, and what they are called. */
export const marks = [
  { at: 1, n: 1, unit: 's' }, { at: 10, n: 10, unit: 's' }, { at: 60, n: 1, unit: 'min' }, { at: 600, n: 10, unit: 'min' },
  { at: 3600, n: 1, unit: 'h' }, { at: 86400, n: 1, unit: 'd' }, { at: week, n: 7, unit: 'd' },
];

/** A length of time in the largest unit that fits. @param {number} seconds @returns {{n: number, unit: 's'|'min'|'h'|'d'}} */
export function inUnits(seconds) {
  if (seconds >= 2 * 86400) return { n: Math.round(seconds / 86400), unit: 'd' };
  if (seconds >= 5400) return { n: Math.round(seconds / 3600), unit: 'h' };
  if (seconds >= 90) return { n: Math.round(seconds / 60), unit: 'min' };
  return { n: seconds, unit: 's' };
}

/** @param {import('../../types.js').Strategy} strategy @param {number[]} delays  of the retry queues, milliseconds */
export function memoryOf(strategy, delays) {
  const guards = guardsOf(strategy);
  const key = keepsKey(guards);
  let sum = 0;
  const before = firstOf(strategy);
  const ticks = before === 'ack' ? [] : delays.map((ms) => { sum += ms / 1000; return sum; });
  /** @type {Bar[]} */
  const bars = [
    { name: 'retries', from: first, to: Math.max(first, sum), open: false, none: ticks.length === 0, ticks },
    { name: 'dead', from: Math.max(first, sum), to: week, open: true, none: before === 'ack', ticks: [] },
    { name: 'seen', from: first, to: week, open: guards.memory === 'postgres', none: guards.memory === 'none', ticks: [] },
    { name: 'bank', from: first, to: bankMemory, open: false, none: !key, ticks: [] },
  ];
  return { bars, memory: guards.memory, key, asks: guards.asks, before, danger: before ? null : dangerOf(key, guards.asks) };
}

/** What a strategy does before it charges, so that no later delivery charges again. @param {import('../../types.js').Strategy} strategy @returns {''|'ack'|'mark'} */
function firstOf({ steps }) {
  const charged = steps.indexOf('worker.charged');
  const before = (/** @type {string} */ step) => steps.includes(step) && steps.indexOf(step) < charged;
  if (before('worker.acked')) return 'ack';
  return before('worker.recorded') ? 'mark' : '';
}

/** From where on a delivery charges again, in seconds; null where it never does. @param {boolean} key @param {'never'|'old'|'always'} asks */
function dangerOf(key, asks) {
  if (asks === 'always') return null;
  if (!key) return asks === 'old' ? { from: first, to: askFrom } : { from: first, to: week };
  return asks === 'old' ? null : { from: bankMemory, to: week };
}

/** @param {ReturnType<typeof memoryOf>} memory @param {number} seconds @returns {Fate} */
export function fateAt({ danger, key, asks, before }, seconds) {
  if (before) return before === 'ack' ? 'none' : 'marked';
  if (danger && seconds >= danger.from && seconds < danger.to + (danger.to === week ? 1 : 0)) return 'again';
  if (asks === 'always' || (asks === 'old' && seconds >= askFrom)) return 'asked';
  return key ? 'absorbed' : 'asked';
}

/** How a delivery can come at that moment. @param {ReturnType<typeof memoryOf>} memory @param {number} seconds @returns {'retries'|'dead'|'never'} */
export const cameBy = ({ bars, before }, seconds) => (before === 'ack' ? 'never' : seconds <= bars[0].to ? 'retries' : 'dead');
