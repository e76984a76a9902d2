/**
 * Picture 8: four effects, three places where an effect can live, and the shape that makes it happen once there. A
 * cell that has a run links to it.
 *
 * @typedef {'charge'|'status'|'points'|'receipt'} Effect
 * @typedef {'ours'|'keyed'|'keyless'} Place
 * @typedef {'set'|'commit'|'key'|'ask'|'gap'|'letters'|''} Shape  "": nothing of that kind happens there
 * @typedef {{effect: Effect, place: Place, shape: Shape, run: {strategy: string, point: string}|null}} Cell
 */

/** @type {Effect[]} */
export const effects = ['charge', 'status', 'points', 'receipt'];
/** @type {Place[]} */
export const places = ['ours', 'keyed', 'keyless'];

/** @type {Record<string, {shape: Shape, strategy: string, point: string}>} */
const filled = {
  'charge/ours': { shape: 'gap', strategy: 'transactional', point: 'worker.charged' },
  'charge/keyed': { shape: 'key', strategy: 'seen-set-and-key', point: 'worker.charged' },
  'charge/keyless': { shape: 'ask', strategy: 'lookup-first', point: 'worker.charged' },
  'status/ours': { shape: 'set', strategy: 'key-only', point: 'worker.applied' },
  'points/ours': { shape: 'commit', strategy: 'seen-set-and-key', point: 'worker.recorded' },
  'receipt/ours': { shape: 'commit', strategy: 'seen-set-and-key', point: 'worker.recorded' },
  'receipt/keyless': { shape: 'letters', strategy: 'seen-set-and-key', point: 'mail.sent' },
};

/** @returns {Cell[]} */
export const cells = () => effects.flatMap((effect) => places.map((place) => {
  const cell = filled[`${effect}/${place}`];
  return { effect, place, shape: cell?.shape ?? '', run: cell ? { strategy: cell.strategy, point: cell.point } : null };
}));

/** What the run came to, once it is over. @param {import('../../types.js').Verdict|null} verdict */
export const resultsOf = (verdict) => effects.map((effect) => ({ effect, result: verdict?.effects[effect] ?? null }));
