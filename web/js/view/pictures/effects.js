import { cells, effects as all, places, resultsOf } from '../../model/pictures/effects.js';
import { formatRoute } from '../../model/route.js';

/**
 * Picture 8: four effects, three places they can live in, and the shape each needs. Cells are links to their runs.
 *
 * @typedef {{results: ReturnType<typeof resultsOf>, present: boolean}} Effects
 * @typedef {import('../../model/pictures/effects.js').Cell} Cell
 * @typedef {import('./frame.js').Words} Words
 * @typedef {import('./pen.js').Pen} Pen
 */

/** @returns {import('./frame.js').Picture<Effects>} */
export const effects = () => ({
  name: 'effects',
  read: (state, scene) => ({ results: resultsOf(scene.verdict), present: state.route.present }),
  draw: (pen, data, words) => (pen.narrow ? down(pen, data, words) : grid(pen, data, words)),
  tell: (_, { t }) => cells().filter(({ run }) => run).map((cell) => `${t(`pictures.effects.${cell.effect}`)}, ${t(`pictures.effects.${cell.place}`)}: ${needs(cell, t)}`),
});

/** @param {Cell} cell @param {Words['t']} t */
const needs = ({ shape }, t) => t(`pictures.effects.shape.${shape}`);

/** Shapes on a 20 × 20 grid, so that a need is known again by more than its words. @type {Record<string, string>} */
const shapes = {
  set: 'M3 7h14M3 13h14', commit: 'M3 3h14v14h-14zM7 10l2.5 3l4.5 -6', key: 'M12 10a4 4 0 1 1 -8 0a4 4 0 0 1 8 0M12 10h6v4', ask: 'M8 3a5 5 0 1 0 .1 0M12 12l5 5',
  gap: 'M2 10h5M13 10h5M7 5v10M13 5v10', letters: 'M2 6h12v9h-12zM5 6v-3h13v9h-4',
};

/** @param {Pen} pen @param {Effects} data @param {Words} words */
function grid(pen, data, words) {
  const { t } = words;
  const head = 120;
  const w = (pen.width - head) / places.length;
  const left = (/** @type {number} */ i) => head + w * i;
  let y = Math.max(...places.map((name, i) => pen.text(left(i) + w / 2, 0, t(`pictures.effects.${name}`), { cls: 'strong', anchor: 'middle', max: w - 8 }))) + 6;
  for (const effect of all) {
    const row = cells().filter((cell) => cell.effect === effect);
    const lines = titleLines(effect, data, words).reduce((n, [line, strong]) => n + pen.lines(line, head - 8, strong === 'strong').length, 0);
    const tall = Math.max(56, lines * 20 + 16, ...row.map((cell) => 20 * pen.lines(needs(cell, t), w - 54).length + 18));
    pen.line(0, y, pen.width, y, 'grid');
    title(pen, effect, data, words, 2, y + 10, head - 8);
    row.forEach((cell, i) => one(pen, cell, { x: left(i), y, w, h: tall }, data, words));
    y += tall;
  }
}

/** @param {Pen} pen @param {Effects} data @param {Words} words */
function down(pen, data, words) {
  const { t } = words;
  let y = 0;
  for (const effect of all) {
    y = title(pen, effect, data, words, 2, y, pen.width - 4) + 4;
    for (const cell of cells().filter((c) => c.effect === effect && c.run)) {
      const text = `${t(`pictures.effects.${cell.place}`)}: ${needs(cell, t)}`;
      const tall = Math.max(48, 20 * pen.lines(text, pen.width - 54).length + 18);
      one(pen, cell, { x: 0, y, w: pen.width, h: tall }, data, words, text);
      y += tall + 4;
    }
    y += 8;
  }
}

/** The name of an effect, and what the run came to. @param {Pen} pen @param {string} effect @param {Effects} data @param {Words} words @param {number} x @param {number} y @param {number} max */
function title(pen, effect, data, words, x, y, max) {
  return titleLines(effect, data, words).reduce((at, [line, cls]) => pen.text(x, at, line, { cls, max }), y);
}

/** @param {string} effect @param {Effects} data @param {Words} words @returns {Array<[string, string]>} text and look */
function titleLines(effect, { results }, { t }) {
  const name = /** @type {[string, string]} */ ([t(`pictures.effects.${effect}`), 'strong']);
  const result = results.find((r) => r.effect === effect)?.result;
  if (!result) return [name];
  const got = typeof result.got === 'number' ? result.got : t(`status.${result.got}`);
  return [name, [t('pictures.effects.result', { got }), result.ok ? 'ok' : 'bad']];
}

/** @param {Pen} pen @param {Cell} cell @param {{x: number, y: number, w: number, h: number}} place @param {Effects} data @param {Words} words @param {string} [text] */
function one(pen, cell, { x, y, w, h }, { present }, { t }, text = needs(cell, t)) {
  if (!cell.run) {
    pen.text(x + w / 2, y + h / 2 - 10, '–', { cls: 'quiet', anchor: 'middle' });
    return;
  }
  const weak = cell.shape === 'gap' || cell.shape === 'letters';
  pen.box(x + 3, y + 3, w - 6, h - 6, weak ? 'weak' : '', 6);
  pen.icon(x + 12, y + 12, shapes[cell.shape], weak ? 'warn' : '');
  pen.text(x + 38, y + 9, text, { cls: weak ? 'warn' : '', max: w - 54 });
  const { strategy, point } = cell.run;
  const href = formatRoute({ view: 'lab', strategy, fault: { point, action: 'crash', times: 1, skip: 0 }, present });
  pen.press({ id: `${cell.effect}-${cell.place}`, label: t('pictures.try', { what: `${t(`pictures.effects.${cell.effect}`)}, ${t(`pictures.effects.${cell.place}`)}` }), x: x + 3, y: y + 3, w: w - 6, h: h - 6, href });
}
