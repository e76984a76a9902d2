/**
 * How each lane's lifeline looks above and below the arrow of every row: on, off (the process is dead), unk (it does
 * not know whether the card was charged) or hang.
 *
 * @typedef {'on'|'off'|'unk'|'hang'} Life
 * @typedef {Record<string, {top: Life, bottom: Life}>} Lives
 * @param {import('../types.js').Row[]} rows @param {Array<{id: string}>} lanes @returns {Lives[]}
 */
export function lifelines(rows, lanes) {
  /** @type {Record<string, Life>} */
  const now = Object.fromEntries(lanes.map(({ id }) => [id, 'on']));
  return rows.map((row) => {
    const before = { ...now };
    const next = after(row, now[row.from]);
    if (next) now[row.kind === 'unknown' ? row.to : row.from] = next;
    return Object.fromEntries(lanes.map(({ id }) => [id, { top: before[id], bottom: now[id] }]));
  });
}

/** @param {import('../types.js').Row} row @param {Life} current @returns {Life|undefined} */
function after({ kind, from, to }, current) {
  if (kind === 'crash') return 'off';
  if (kind === 'hang' || kind === 'hold') return 'hang';
  if (kind === 'unknown') return 'unk';
  if (kind === 'start') return 'on';
  return current !== 'off' && from !== to ? 'on' : undefined;
}

/** Where lanes stand. @param {number} count @param {number} width @returns {number[]} */
export function laneX(count, width) {
  const left = 76;
  const right = width - 42;
  return Array.from({ length: count }, (_, i) => Math.round(left + ((right - left) * i) / Math.max(1, count - 1)));
}
