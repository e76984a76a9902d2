/**
 * Show of hands: how many chose what, by scenario. A value, changed by making another.
 *
 * @typedef {Record<string, number>} Tally  hands by the id of a choice
 * @typedef {Record<string, Tally>} Hands   by the name of a scenario
 * @typedef {{id: string, n: number, share: number}} Bar  share is of the largest, from 0 to 1
 */

/** A class is not larger; a key that is held down counts no further. */
export const most = 999;

/** @param {Hands} hands @param {string} scenario @param {string} choice @param {number} by @returns {Hands} */
export function raise(hands, scenario, choice, by) {
  const tally = hands[scenario] ?? {};
  const n = Math.min(most, Math.max(0, (tally[choice] ?? 0) + by));
  return { ...hands, [scenario]: { ...tally, [choice]: n } };
}

/** @param {Tally|undefined} tally */
export const total = (tally) => Object.values(tally ?? {}).reduce((sum, n) => sum + n, 0);

/** @param {Tally|undefined} tally @param {string[]} choices @returns {Bar[]} */
export function bars(tally, choices) {
  const counts = choices.map((id) => tally?.[id] ?? 0);
  const largest = Math.max(1, ...counts);
  return choices.map((id, i) => ({ id, n: counts[i], share: counts[i] / largest }));
}

/** What most chose; "" where nobody did, or two are equal. @param {Tally|undefined} tally */
export function favourite(tally) {
  const [first, second] = Object.entries(tally ?? {}).sort(([, a], [, b]) => b - a);
  return first && first[1] > 0 && first[1] !== second?.[1] ? first[0] : '';
}

/** What a store gave back, or nothing: only whole numbers are hands. @param {unknown} data @returns {Hands} */
export function handsOf(data) {
  /** @type {Hands} */
  const hands = {};
  for (const [scenario, tally] of entries(data)) {
    for (const [choice, n] of entries(tally)) {
      if (Number.isInteger(n)) Object.assign(hands, raise(hands, scenario, choice, n));
    }
  }
  return hands;
}

/** @param {any} value @returns {Array<[string, any]>} */
const entries = (value) => (typeof value === 'object' && value !== null ? Object.entries(value) : []);
