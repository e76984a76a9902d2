import { pastOf } from '../../model/pictures/past.js';
import { crashPoints, togetherOf } from '../../model/pictures/together.js';
import { formatRoute } from '../../model/route.js';

/**
 * Picture 7: the order and its message. On the left one commit, on the right two writes; the crash points of both.
 *
 * @typedef {ReturnType<typeof togetherOf> & {strategy: string, present: boolean}} Together
 * @typedef {import('./frame.js').Words} Words
 * @typedef {import('./pen.js').Pen} Pen
 * @typedef {{x: number, y: number, w: number}} Room
 */

/** @returns {import('./frame.js').Picture<Together>} */
export const together = () => ({
  name: 'together',
  read: (state, scene) => ({ ...togetherOf(pastOf(state.run, scene)), strategy: scene.strategy.id, present: state.route.present }),
  draw(pen, data, words) {
    const w = pen.narrow ? pen.width - 4 : pen.width / 2 - 10;
    outbox(pen, { x: 2, y: 0, w }, data, words);
    dual(pen, pen.narrow ? { x: 2, y: pen.bottom + 20, w } : { x: pen.width - w - 2, y: 0, w }, words);
  },
  tell: (data, { t }) => ['outbox', 'dual'].flatMap((side) => [
    t(`pictures.together.${side}`),
    ...crashPoints[/** @type {'outbox'|'dual'} */ (side)].map(({ name }) => `${t(`pictures.together.${name}`)}: ${t(`pictures.together.${name}.what`)}${
      data.killed.includes(name) ? ` ${t('pictures.inThisRun')}` : ''}`),
  ]),
});

/** @param {Pen} pen @param {Room} room @param {Together} data @param {Words} words */
function outbox(pen, { x, y, w }, data, { t }) {
  const middle = x + w / 2;
  let at = pen.text(middle, y, t('pictures.together.outbox'), { cls: 'strong', anchor: 'middle', max: w }) + 6;
  pen.box(x, at, w, 70, data.committed > 0 ? 'lit' : '', 10);
  pen.text(middle, at + 4, t('pictures.together.commit'), { cls: 'quiet', anchor: 'middle', max: w - 8 });
  const half = w / 2 - 14;
  record(pen, x + 10, at + 28, half, t('pictures.together.order'));
  record(pen, x + w - half - 10, at + 28, half, t('pictures.together.row'));
  at = point(pen, crashPoints.outbox[0], { x, y: at + 76, w }, data, { t });
  at = step(pen, middle, at, w, t('pictures.together.relay'), data.published > 0);
  at = point(pen, crashPoints.outbox[1], { x, y: at + 8, w }, data, { t });
  if (data.published > 0) pen.text(middle, at + 2, t('pictures.together.times', { n: data.published }), { cls: 'strong', anchor: 'middle', max: w });
}

/** @param {Pen} pen @param {Room} room @param {Words} words */
function dual(pen, { x, y, w }, { t }) {
  const middle = x + w / 2;
  const none = { committed: 0, published: 0, marked: 0, killed: [], strategy: '', present: false };
  let at = pen.text(middle, y, t('pictures.together.dual'), { cls: 'strong', anchor: 'middle', max: w }) + 6;
  at = step(pen, middle, at - 20, w, t('pictures.together.dual.order'), false, true);
  at = point(pen, crashPoints.dual[0], { x, y: at + 8, w }, none, { t });
  at = step(pen, middle, at, w, t('pictures.together.dual.publish'), false);
  at = point(pen, crashPoints.dual[1], { x, y: at + 8, w }, none, { t });
  pen.text(middle, at + 4, t('pictures.together.dual.later'), { cls: 'quiet', anchor: 'middle', max: w });
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} w @param {string} text */
function record(pen, x, y, w, text) {
  const lines = pen.lines(text, w - 8, true).length;
  pen.box(x, y, w, 36, 'state-done', 4);
  pen.text(x + w / 2, y + 18 - lines * 10, text, { cls: 'strong', anchor: 'middle', max: w - 8 });
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} w @param {string} text @param {boolean} lit @param {boolean} [first]  nothing comes before it */
function step(pen, x, y, w, text, lit, first = false) {
  if (!first) pen.arrow(x, y + 2, x, y + 18, lit ? 'lit' : '');
  const tall = pen.lines(text, w - 24, true).length * 20 + 14;
  pen.box(x - w / 2 + 10, y + 20, w - 20, tall, lit ? 'lit' : '', 4);
  pen.text(x, y + 27, text, { cls: 'strong', anchor: 'middle', max: w - 24 });
  return y + 20 + tall;
}

/**
 * A place where a crash is worth a look: a cross, its name, what is left behind; a link where the lab can do it.
 * @param {Pen} pen @param {import('../../model/pictures/together.js').CrashPoint} crash @param {Room} room
 * @param {Omit<Together, never>} data @param {{t: Words['t']}} words @returns {number} the lower edge
 */
function point(pen, { name, fault }, { x, y, w }, data, { t }) {
  const lit = data.killed.includes(name);
  const title = t(`pictures.together.${name}`);
  const what = t(`pictures.together.${name}.what`);
  const room = w - 46;
  pen.cross(x + 16, y + 18, 8, fault ? '' : 'ghost');
  let at = pen.text(x + 36, y + 4, title, { cls: 'strong bad', max: room });
  at = pen.text(x + 36, at, what, { max: room });
  if (lit) at = pen.text(x + 36, at, t('pictures.inThisRun'), { cls: 'strong', max: room });
  const href = fault ? formatRoute({ view: 'lab', strategy: data.strategy, fault, present: data.present }) : '';
  if (href) pen.press({ id: name, label: t('pictures.try', { what: title }), x: x + 1, y: y - 2, w: w - 2, h: Math.max(44, at - y + 6), href });
  return at + 4;
}
