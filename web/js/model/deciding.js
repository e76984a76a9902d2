/**
 * The row that decided how a run ended, where the verdict takes the reader: the second charge, the stored answer, the
 * kill that lost the job.
 * @param {import('../types.js').Row[]} rows @param {import('../types.js').Verdict|null} verdict @returns {number}  -1 when there is none
 */
export function decidingRow(rows, verdict) {
  /** @param {...string} kinds */
  const last = (...kinds) => rows.findLastIndex((row) => kinds.includes(row.kind));
  switch (verdict?.verdict) {
    case 'double-charged': return last('charged', 'unknown');
    case 'charged-once': return Math.max(last('replayed', 'found'), 0) || last('charged');
    case 'declined': return last('declined');
    case 'not-charged': case 'sale-lost': return last('crash', 'error', 'look');
    default: return -1;
  }
}
