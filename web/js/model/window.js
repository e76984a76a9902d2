/**
 * Where, in the rows of a run, a crash does harm: from the row of one step to the row of the next, or to the crash
 * that fell between them. Only a run that is over has any.
 *
 * @typedef {{from: number, to: number, lane: string, loses: boolean, window: import('../types.js').Window}} Bar  rows from 0
 * @param {import('../types.js').Row[]} rows @param {import('../types.js').Window[]} windows @returns {Bar[]}
 */
export function barsOf(rows, windows) {
  return windows.flatMap((stretch) => {
    const from = rows.findIndex((row) => has(row, stretch.from));
    if (from < 0) return [];
    const { instance } = worker(rows[from]).process;
    const end = rows.findIndex((row, i) => i > from
      && (row.kind === 'crash' || (has(row, stretch.to) && row.event.process.instance === instance)));
    const lane = lanesOf(rows[from]);
    return [{ from, to: end < 0 ? rows.length - 1 : end, lane, loses: !stretch.effect.includes('charge') || stretch.from !== 'worker.charged', window: stretch }];
  });
}

/** @param {import('../types.js').Row} row @param {string} step */
const has = (row, step) => row.events.some((event) => event.step === step);

/** @param {import('../types.js').Row} row */
const worker = (row) => row.events.find((event) => event.process.role === 'worker') ?? row.event;

/** @param {import('../types.js').Row} row */
const lanesOf = (row) => (row.from.startsWith('worker') ? row.from : row.to.startsWith('worker') ? row.to : 'worker');

/** The bar that tells of this run: the one into which its crash fell, else the first. @param {import('../types.js').Row[]} rows @param {Bar[]} bars @returns {Bar|null} */
export const barThatTells = (rows, bars) => bars.find((bar) => rows[bar.to]?.kind === 'crash') ?? bars[0] ?? null;
