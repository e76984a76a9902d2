/**
 * The one clock of the page: how many rows have been shown. Rows are shown at least `gap` apart and never before
 * they have happened (they are not in the list before). Pure: time comes in.
 *
 * @typedef {import('../types.js').Playhead} Playhead
 * @typedef {import('../types.js').Row} Row
 */

const base = 320;
/** What a person needs longer to take in: the row after it waits. @type {Record<string, number>} */
const dwell = { sent: 420, charged: 560, crash: 1100, start: 700, redeliver: 800, replayed: 900, declined: 700, effects: 420, unknown: 800 };

/** @param {Playhead['pace']} [pace] @returns {Playhead} */
export const playhead = (pace = 'paced') => ({ at: 0, playing: true, pace, since: -Infinity });

/** How long the playhead rests on a row. @param {Row|undefined} row @param {Playhead['pace']} pace */
export function gap(row, pace) {
  if (pace === 'live' || !row) return 0;
  return pace === 'step' ? base : Math.max(base, dwell[row.kind] ?? 380);
}

/**
 * Moves on as far as the time allows: at most one row when paced, all of them when live.
 * @param {Playhead} head @param {Row[]} rows @param {number} now @returns {Playhead}
 */
export function tick(head, rows, now) {
  if (!head.playing || head.at >= rows.length) return head;
  if (head.pace === 'live') return { ...head, at: rows.length, since: now };
  return now - head.since >= gap(rows[head.at - 1], head.pace) ? { ...head, at: head.at + 1, since: now } : head;
}

/** Milliseconds until `tick` will move, or null when it will not. @param {Playhead} head @param {Row[]} rows @param {number} now */
export function due(head, rows, now) {
  if (!head.playing || head.at >= rows.length) return null;
  return Math.max(0, gap(rows[head.at - 1], head.pace) - (now - head.since));
}

/** A person moves it: that also pauses. @param {Playhead} head @param {number} at @param {number} length @returns {Playhead} */
export const seek = (head, at, length) => ({ ...head, playing: false, at: Math.min(length, Math.max(0, at)) });

/** Play goes on, or begins again at the start when it stood at the end. @param {Playhead} head @param {number} length @param {number} now @returns {Playhead} */
export const play = (head, length, now) => ({ ...head, playing: true, at: head.at >= length ? 0 : head.at, since: now });

/** @param {Playhead} head @returns {Playhead} */
export const pause = (head) => ({ ...head, playing: false });

/**
 * How many events the playhead has passed: all that are folded into the rows shown, and what lies before the next.
 * @param {Row[]} rows @param {number} at @param {number} total
 */
export function eventsShown(rows, at, total) {
  if (at === 0) return 0;
  return at < rows.length ? rows[at].index : total;
}
