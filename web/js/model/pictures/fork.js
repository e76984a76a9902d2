import { isAnswer, isCall, isKill, turnOf } from './past.js';

/**
 * Picture 5: one call to the bank, three ways it can have gone, one thing the next delivery knows. And the ways out.
 *
 * @typedef {import('../../types.js').Event} Event
 * @typedef {'never'|'lost'|'came'} Branch  it never arrived; done, and the answer lost; done, and the answer came but was not written down
 * @typedef {'sameKey'|'ask'|'newKey'} Exit
 */

/** @type {Array<{name: Branch, fault: import('../../types.js').Fault}>} */
export const branches = [
  { name: 'never', fault: { point: 'stripe.request_lost', action: '', times: 1, skip: 0 } },
  { name: 'lost', fault: { point: 'stripe.response_lost', action: '', times: 1, skip: 0 } },
  { name: 'came', fault: { point: 'worker.charged', action: 'crash', times: 1, skip: 0 } },
];

/** @type {Array<{name: Exit, strategy: string}>} */
export const exits = [
  { name: 'sameKey', strategy: 'seen-set-and-key' },
  { name: 'ask', strategy: 'lookup-first' },
  { name: 'newKey', strategy: 'naive' },
];

/** What of it the run has shown. @param {Event[]} past @returns {{branches: Branch[], exits: Exit[]}} */
export function forkOf(past) {
  /** @type {Set<Branch>} */
  const went = new Set();
  /** @type {Set<Exit>} */
  const left = new Set();
  past.forEach((event, i) => {
    const branch = branchAt(event, past.slice(0, i));
    if (branch) went.add(branch);
    const exit = went.size > 0 ? exitAt(event, past.slice(0, i)) : null;
    if (exit) left.add(exit);
  });
  return { branches: [...went], exits: [...left] };
}

/** @param {Event} event @param {Event[]} before @returns {Branch|null} */
function branchAt(event, before) {
  if (event.step !== 'fault.fired') return null;
  const { point = '' } = event.detail;
  if (point === 'stripe.request_lost' || point === 'stripe.error_500') return 'never';
  if (point === 'stripe.response_lost' || point === 'stripe.charged_then_500') return lastCall(event, before)?.step === 'stripe.charge' ? 'lost' : null;
  const answered = before.some((e) => isAnswer(e) && e.detail.outcome === 'charged' && turnOf(e) === turnOf(event));
  const written = before.some((e) => ['worker.recorded', 'worker.applied'].includes(e.step) && turnOf(e) === turnOf(event));
  return isKill(event) && answered && !written ? 'came' : null;
}

/** The last thing this turn sent to the bank. @param {Event} event @param {Event[]} before */
const lastCall = (event, before) => before.filter((e) => ['stripe.charge', 'stripe.find'].includes(e.step) && turnOf(e) === turnOf(event)).at(-1);

/** @param {Event} event @param {Event[]} before @returns {Exit|null} */
function exitAt(event, before) {
  if (event.step === 'stripe.find' && event.detail.to === 'stripe') return 'ask';
  if (!isCall(event)) return null;
  const earlier = before.filter((e) => isCall(e) && e.message_id === event.message_id && turnOf(e) !== turnOf(event));
  if (earlier.length === 0) return null;
  return earlier.some((e) => e.detail.key === event.detail.key) ? 'sameKey' : 'newKey';
}
