import { applies, columns, face, onItsWay, placeOf, rowGroups } from './matrix.js';

/**
 * What the table and the list draw: the matrix as one person sees it now, in words of one language.
 *
 * @typedef {import('./matrix.js').Face} Face
 * @typedef {{strategy?: string[], fault?: string[]}} Asked
 * @typedef {object} Own   what is the view's own
 * @property {'results'|'guess'} mode
 * @property {string[]} open   places that were uncovered
 * @property {import('./matrix.js').Results} results
 * @property {import('./matrix.js').Job|null} job
 * @property {Asked} asked     what the job was asked for
 * @property {{strategy: string, fault: string}} chosen  the cell with the tab stop; fault "" is the head of the row
 * @property {string} trouble  why there is no job: what the lab said, or a key of the catalogue
 *
 * @typedef {{strategy: string, fault: string, row: string, title: string, face: Face, says: string, name: string, reason: string, notes: string[]}} CellView
 * @typedef {{id: string, title: string, covered: boolean, action: string, cells: CellView[]}} RowView
 * @typedef {{columns: Array<{id: string, title: string}>, groups: RowView[][]}} Sheet
 */

/** @returns {Own} */
export const nothing = () => ({
  mode: 'results', open: [], results: {}, job: null, asked: {}, chosen: { strategy: '', fault: '' }, trouble: '',
});

/** @param {Own} own @param {import('./matrix.js').Strategy} strategy @param {string} fault @returns {Face} */
export function faceOf(own, strategy, fault) {
  const place = placeOf(strategy.id, fault);
  return face(own.results[place], {
    applies: applies(strategy, fault),
    covered: own.mode === 'guess' && !own.open.includes(place),
    running: own.job !== null && onItsWay(own.asked, own.job, strategy.id, fault),
  });
}

/** @param {import('./matrix.js').Strategy[]} strategies @param {Own} own @param {import('../lib/i18n.js').Words} words @returns {Sheet} */
export function sheet(strategies, own, words) {
  const heads = columns(strategies).map(({ id, title }) => ({ id, title: words.of(title) }));
  return {
    columns: heads,
    groups: rowGroups(strategies).map((group) => group.map((strategy) => {
      const title = words.of(strategy.title);
      const cells = heads.map((head) => cellView(own, strategy, head, title, words));
      const covered = cells.some((cell) => cell.face.tone === 'covered');
      return { id: strategy.id, title, covered, action: words.t(covered ? 'matrix.uncover.row' : 'matrix.run.row', { strategy: title }), cells };
    })),
  };
}

/** @param {Own} own @param {import('./matrix.js').Strategy} strategy @param {{id: string, title: string}} head @param {string} row @param {import('../lib/i18n.js').Words} words @returns {CellView} */
function cellView(own, strategy, head, row, words) {
  const shown = faceOf(own, strategy, head.id);
  const says = words.t(shown.text.key, shown.text.params);
  const judged = shown.press === 'open' && shown.tone !== 'ok';
  const notes = [shown.differs ? words.t('matrix.differs') : '', shown.press ? words.t(`matrix.press.${shown.press}`) : ''];
  return {
    strategy: strategy.id, fault: head.id, row, title: head.title, face: shown, says,
    name: words.t('matrix.cell', { strategy: row, fault: head.title, says }),
    reason: judged ? words.of(own.results[placeOf(strategy.id, head.id)]?.reason) : '',
    notes: notes.filter(Boolean),
  };
}

/** What stands in a cell as text. @param {Face} shown @param {string} none  for a cell that does not apply */
export const faceText = ({ count, mark, tone }, none) => (tone === 'none' ? none : count === null ? mark : `${count} ${mark}`);

/**
 * Where a key leads from a cell: a row and a column of the table, the head of the row being column 0.
 * @param {string} key @param {boolean} far  with Ctrl: to the end of the whole table
 * @param {{row: number, column: number}} at @param {{rows: number, columns: number}} size  heads not counted
 * @returns {{row: number, column: number}|null}
 */
export function step(key, far, at, size) {
  /** @type {Record<string, [number, number]>} */
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  if (key === 'Home') return { row: far ? 0 : at.row, column: 0 };
  if (key === 'End') return { row: far ? size.rows - 1 : at.row, column: size.columns };
  if (!(key in moves) || far) return null;
  const [down, right] = moves[key];
  return {
    row: Math.min(size.rows - 1, Math.max(0, at.row + down)),
    column: Math.min(size.columns, Math.max(0, at.column + right)),
  };
}
