import { isAnswer, isCall, isKill } from './past.js';

/**
 * Picture 6: what our side knows of the charge. There are three states, and the middle one is not an error.
 *
 * @typedef {import('../../types.js').Event} Event
 * @typedef {'notDone'|'unknown'|'done'} Known
 * @typedef {'send'|'answer'|'refuse'|'lose'|'repeat'|'forget'} Move
 *
 * The moves and the states they join: send (the call leaves), answer (charged, or told from the bank's memory or by a
 * look-up), refuse (declined, or the bank knows of none), lose (no readable answer, or killed while waiting), repeat
 * (asked again), forget (killed before the answer was written down).
 *
 * @type {Record<Move, [Known, Known]>}
 */
export const moves = {
  send: ['notDone', 'unknown'],
  answer: ['unknown', 'done'],
  refuse: ['unknown', 'notDone'],
  lose: ['unknown', 'unknown'],
  repeat: ['unknown', 'unknown'],
  forget: ['done', 'unknown'],
};

/** The first message of the run: which moves it made, and where it stands. @param {Event[]} past */
export function statesOf(past) {
  const message = past.find(isCall)?.message_id ?? '';
  /** @type {Record<Move, number>} */
  const taken = { send: 0, answer: 0, refuse: 0, lose: 0, repeat: 0, forget: 0 };
  /** @type {Known} */
  let now = 'notDone';
  let written = false;
  for (const event of past.filter((e) => e.message_id === message)) {
    if (event.step === 'worker.recorded' || event.step === 'worker.applied') written ||= now === 'done';
    const move = moveOf(event, now, written);
    if (!move) continue;
    taken[move] += 1;
    now = moves[move][1];
  }
  return { now, taken, written, begun: message !== '' };
}

/** @param {Event} event @param {Known} now @param {boolean} written @returns {Move|null} */
function moveOf(event, now, written) {
  if (isCall(event)) return now === 'notDone' ? 'send' : now === 'unknown' ? 'repeat' : null;
  if (isKill(event) && now === 'unknown') return 'lose';
  if (isKill(event) && now === 'done' && !written) return 'forget';
  if (now !== 'unknown' || event.detail.from !== 'stripe') return null;
  if (isAnswer(event)) return answerOf(event.detail.outcome ?? '');
  return event.step === 'stripe.find' && event.detail.outcome !== 'unknown' ? (event.detail.outcome ? 'answer' : 'refuse') : null;
}

/** @param {string} outcome @returns {Move} */
function answerOf(outcome) {
  if (outcome === 'charged' || outcome === 'replayed') return 'answer';
  return outcome === 'declined' ? 'refuse' : 'lose';
}
