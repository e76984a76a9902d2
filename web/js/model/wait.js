/**
 * What the order waits for, and for how long still. The lab's clock and the reader's are taken for the same one: where
 * they differ the seconds are wrong, and nothing else.
 *
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {{kind: 'retry'|'held', s: number}} Wait  s: whole seconds, never below 0
 */

/** How long a process waits for a person before it goes on by itself, in milliseconds. */
const patience = 600_000;

/** A person is told that it will go on by itself when this much is left, in milliseconds. */
const hint = 120_000;

/** @param {Pick<Scene, 'held'|'shown'|'rows'>} scene @param {boolean} live  the run goes on @param {number} now  milliseconds @returns {Wait|null} */
export function waitOf({ held, shown, rows }, live, now) {
  if (held.length > 0) return until('held', Date.parse(held[0].since) + patience, now);
  const last = shown.at(-1);
  if (!live || last?.kind !== 'retry' || shown.length < rows.length) return null;
  return until('retry', Date.parse(last.event.detail.due_at ?? ''), now);
}

/** Whether it is worth a word. @param {Wait|null} wait */
export const worthTelling = (wait) => wait !== null && (wait.kind === 'retry' || wait.s * 1000 <= hint);

/** @param {Wait['kind']} kind @param {number} end @param {number} now @returns {Wait|null} */
const until = (kind, end, now) => (Number.isNaN(end) ? null : { kind, s: Math.max(0, Math.ceil((end - now) / 1000)) });
