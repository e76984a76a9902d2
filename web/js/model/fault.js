import { reaches } from './catalogue.js';

/**
 * What became of the fault of a run, as far as the playhead has come.
 *
 * @typedef {'will'|'armed'|'fired'|'silent'} FaultState  `silent`: the run is over and it never fired
 * @typedef {import('../types.js').Run} Run
 */

/** The numbers of the rows at which it fired. @param {import('../types.js').Row[]} shown @returns {number[]} */
export function firedRows(shown) {
  return shown.flatMap((row, i) => (row.events.some((event) => event.step === 'fault.fired') ? [i + 1] : []));
}

/** @param {Run|null} run @param {string[]} steps @param {import('../types.js').Row[]} shown @param {boolean} settled @returns {FaultState} */
export function faultState(run, steps, shown, settled) {
  if (!run) return 'will';
  if (firedRows(shown).length > 0) return 'fired';
  return settled && unfired(run, steps) ? 'silent' : 'armed';
}

/**
 * The sentence for a finished run whose fault never fired: it says nothing about the strategy. A run that was opened
 * again may lack the events of an api that died before its commit, so nothing is claimed there.
 * @param {Run} run @param {string[]} steps @returns {import('../types.js').Phrase|null}
 */
export function unfired({ setup: { fault }, events, reopened }, steps) {
  if (!fault || events.some((event) => event.step === 'fault.fired')) return null;
  if (reopened && fault.point.startsWith('api.')) return null;
  return { key: reaches(steps, fault.point) ? 'verdict.unreached' : 'verdict.unfired', params: { step: fault.point } };
}
