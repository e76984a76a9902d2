/**
 * The clock of a lesson: when it began, and when its step did. Times are milliseconds and come in from outside.
 *
 * @typedef {{began: number, step: string, stepBegan: number}} Timer  0 and "" before it has begun
 * @typedef {{step: number, total: number, late: number}} Reading  whole seconds; late is negative when early
 */

/** @type {Timer} */
export const stopped = Object.freeze({ began: 0, step: '', stepBegan: 0 });

/** A step begins. The first one begins the lesson; the same one again changes nothing. @param {Timer} timer @param {string} step @param {number} now @returns {Timer} */
export function enter(timer, step, now) {
  if (!timer.began) return { began: now, step, stepBegan: now };
  return timer.step === step ? timer : { ...timer, step, stepBegan: now };
}

/**
 * How long it has taken. Nobody is late as long as the step's own end, by the plan, has not come.
 * @param {Timer} timer @param {number} now @param {{minute: number, minutes: number}} plan  of the step: where it begins, and how long it is
 * @returns {Reading}
 */
export function read(timer, now, plan) {
  if (!timer.began) return { step: 0, total: 0, late: 0 };
  const total = seconds(now - timer.began);
  const begins = plan.minute * 60;
  const ends = begins + plan.minutes * 60;
  return { step: seconds(now - timer.stepBegan), total, late: total > ends ? total - ends : Math.min(0, total - begins) };
}

/** A clock that was set back does not make a lesson negative. @param {number} ms */
const seconds = (ms) => Math.max(0, Math.floor(ms / 1000));

/** 605 → "10:05"; a lesson has no hours. @param {number} total  seconds */
export function minutesAndSeconds(total) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return `${two(Math.floor(total / 60))}:${two(total % 60)}`;
}
