import { handsOf } from './hands.js';
import { stopped } from './timer.js';

/**
 * Where a class stands in its lesson: all of it survives a reload, nothing of it is on the server.
 *
 * @typedef {import('./lesson.js').Report} Report
 * @typedef {object} Course
 * @property {string} scenario
 * @property {import('./beats.js').Beat} beat
 * @property {number} watch     which of the step's runs is on the stage
 * @property {boolean} totals   the hands are shown
 * @property {import('./hands.js').Hands} hands
 * @property {Record<string, string>} mine  what was chosen without hands, by scenario
 * @property {Record<string, Report>} reports  the last playing of each scenario
 * @property {Record<string, boolean>} recorded  whether that one was a recording
 * @property {import('./timer.js').Timer} timer
 */

/** @returns {Course} */
export const fresh = () => ({
  scenario: '', beat: 'question', watch: 0, totals: false, hands: {}, mine: {}, reports: {}, recorded: {}, timer: stopped,
});

const beats = ['question', 'guesses', 'run', 'watch', 'answer'];

/** What a store gave back. A run that nobody waits for any more has not begun. @param {any} data @returns {Course} */
export function courseOf(data) {
  const course = { ...fresh(), ...only(data) };
  if (course.beat === 'run') course.beat = 'question';
  return course;
}

/** @param {any} data @returns {Partial<Course>} */
function only(data) {
  if (typeof data !== 'object' || data === null) return {};
  const { scenario, beat, watch, totals, hands, mine, reports, recorded, timer } = data;
  if (typeof scenario !== 'string' || !beats.includes(beat)) return { hands: handsOf(hands) };
  return {
    scenario, beat, watch: Number(watch) || 0, totals: totals === true, hands: handsOf(hands), mine: mine ?? {},
    reports: reports ?? {}, recorded: recorded ?? {}, timer: Number.isFinite(timer?.began) ? timer : stopped,
  };
}

/** Another scenario is opened: its question, and the hands hidden. @param {Course} course @param {string} scenario @returns {Course} */
export const turnTo = (course, scenario) => ({ ...course, scenario, beat: 'question', watch: 0, totals: false });

/** Played to its end, as a run or from a recording. @param {Course} course @param {string} name */
export const played = (course, name) => course.reports[name]?.state === 'finished';
