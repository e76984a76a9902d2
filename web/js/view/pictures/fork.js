import { branches, exits, forkOf } from '../../model/pictures/fork.js';
import { pastOf } from '../../model/pictures/past.js';
import { formatRoute } from '../../model/route.js';

/**
 * Picture 5: the lost answer. Three things can have happened, the next delivery knows none of them; two ways lead out.
 * Branches and exits are links to their runs.
 *
 * @typedef {ReturnType<typeof forkOf> & {strategy: string, present: boolean}} Fork
 * @typedef {import('./frame.js').Words} Words
 * @typedef {import('./pen.js').Pen} Pen
 */

/** @returns {import('./frame.js').Picture<Fork>} */
export const fork = () => ({
  name: 'fork',
  read: (state, scene) => ({ ...forkOf(pastOf(state.run, scene)), strategy: scene.strategy.id, present: state.route.present }),
  draw,
  tell: (data, { t }) => [
    ...branches.map(({ name }) => said(t(`pictures.fork.${name}`), data.branches.includes(name), t)),
    t('pictures.fork.unknown.long'),
    ...exits.map(({ name }) => said(`${t(`pictures.fork.${name}`)}: ${t(`pictures.fork.${name}.what`)}`, data.exits.includes(name), t)),
  ],
});

/** @param {string} text @param {boolean} lit @param {Words['t']} t */
const said = (text, lit, t) => (lit ? `${text} ${t('pictures.inThisRun')}` : text);

/** Three columns, the middle and three columns again; on a phone all of it below one another. @param {Pen} pen @param {Fork} data @param {Words} words */
function draw(pen, data, words) {
  const { t } = words;
  const middle = pen.width / 2;
  const call = pen.text(middle, 0, t('pictures.fork.call'), { cls: 'strong', anchor: 'middle', max: pen.width - 8 });
  const rows = branches.map(({ name, fault }) => ({
    id: name, title: t(`pictures.fork.${name}`), text: '', lit: data.branches.includes(name), trap: false,
    href: formatRoute({ view: 'lab', strategy: data.strategy, fault, present: data.present }),
  }));
  const first = boxes(pen, rows, call + (pen.narrow ? 8 : 30), words);
  if (!pen.narrow) rows.forEach((row, i) => wire(pen, middle, call + 4, centre(pen, i), call + 30, row.lit));
  const top = first + (pen.narrow ? 10 : 32);
  if (!pen.narrow) rows.forEach((row, i) => wire(pen, centre(pen, i), first, middle + (i - 1) * 40, top, row.lit));
  const lit = data.branches.length > 0;
  const width = Math.min(pen.width - 4, 380);
  const lines = pen.lines(t('pictures.fork.unknown'), width - 24, true).length * 20;
  pen.box(middle - width / 2, top, width, lines + 20, lit ? 'unk lit' : 'unk', 12);
  pen.text(middle, top + 10, t('pictures.fork.unknown'), { cls: 'strong unk', anchor: 'middle', max: width - 24 });
  const below = top + lines + 20;
  const ways = exits.map(({ name, strategy }) => ({
    id: name, title: t(`pictures.fork.${name}`), text: t(`pictures.fork.${name}.what`), lit: data.exits.includes(name), trap: name === 'newKey',
    href: formatRoute({ view: 'lab', strategy, fault: branches[1].fault, present: data.present }),
  }));
  const down = below + (pen.narrow ? 10 : 32);
  if (!pen.narrow) ways.forEach((way, i) => wire(pen, middle + (i - 1) * 40, below, centre(pen, i), down, way.lit));
  boxes(pen, ways, down, words);
}

/** @param {Pen} pen @param {number} i */
const centre = (pen, i) => (pen.width / 3) * (i + 0.5);

/** @param {Pen} pen @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {boolean} lit */
const wire = (pen, x1, y1, x2, y2, lit) => pen.arrow(x1, y1 + 2, x2, y2 - 2, lit ? 'lit' : '');

/**
 * @param {Pen} pen @param {Array<{id: string, title: string, text: string, lit: boolean, trap: boolean, href: string}>} rows
 * @param {number} top @param {Words} words @returns {number} the lower edge
 */
function boxes(pen, rows, top, { t }) {
  const w = pen.narrow ? pen.width - 4 : pen.width / 3 - 10;
  const room = w - 20;
  const heights = rows.map(({ title, text, lit }) => 20 * (pen.lines(title, room, true).length + (text ? pen.lines(text, room).length : 0) + (lit ? 1 : 0)) + 18);
  const tall = Math.max(48, ...heights);
  let y = top;
  rows.forEach(({ id, title, text, lit, trap, href }, i) => {
    const h = pen.narrow ? Math.max(48, heights[i]) : tall;
    const x = pen.narrow ? 2 : centre(pen, i) - w / 2;
    pen.box(x, y, w, h, `${trap ? 'trap' : ''} ${lit ? 'lit' : ''}`);
    let at = pen.text(x + w / 2, y + (h - heights[i]) / 2 + 9, title, { cls: trap ? 'strong bad' : 'strong', anchor: 'middle', max: room });
    if (text) at = pen.text(x + w / 2, at, text, { cls: trap ? 'bad' : 'quiet', anchor: 'middle', max: room });
    if (lit) pen.text(x + w / 2, at, t('pictures.inThisRun'), { cls: 'strong', anchor: 'middle', max: room });
    pen.press({ id, label: t('pictures.try', { what: title }), x, y, w, h, href });
    if (pen.narrow) y += h + 6;
  });
  return pen.narrow ? y - 6 : top + tall;
}
