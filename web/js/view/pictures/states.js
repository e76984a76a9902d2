import { pastOf } from '../../model/pictures/past.js';
import { statesOf } from '../../model/pictures/states.js';

/**
 * Picture 6: not done, unknown, done, and the moves between them; those of this run are lit, with their number.
 *
 * @typedef {ReturnType<typeof statesOf>} States
 * @typedef {import('../../model/pictures/states.js').Move} Move
 * @typedef {import('./frame.js').Words} Words
 * @typedef {import('./pen.js').Pen} Pen
 */

/** @returns {import('./frame.js').Picture<States>} */
export const states = () => ({
  name: 'states',
  read: (state, scene) => statesOf(pastOf(state.run, scene)),
  draw: (pen, data, words) => (pen.narrow ? down(pen, data, words) : across(pen, data, words)),
  tell: (data, { t }) => [
    ...order.map((move) => `${t(`pictures.states.${move}`)}: ${data.taken[move] > 0 ? t('pictures.states.times', { n: data.taken[move] }) : t('pictures.states.never')}`),
    ...(data.begun ? [t('pictures.states.now', { state: t(`pictures.states.is.${data.now}`) })] : []),
  ],
});

/** @type {Move[]} */
const order = ['send', 'answer', 'refuse', 'lose', 'repeat', 'forget'];

/** @param {Pen} pen @param {States} data @param {Words} words */
function across(pen, data, words) {
  const w = 116;
  const middle = pen.width / 2;
  const x = [w / 2 + 2, middle, pen.width - w / 2 - 2];
  const y = 150;
  const half = w / 2;
  ['notDone', 'unknown', 'done'].forEach((name, i) => state(pen, name, x[i], y, w, data, words));
  const gap = x[1] - x[0] - w;
  const between = [(x[0] + x[1]) / 2, (x[1] + x[2]) / 2];
  move(pen, 'send', data, words, between[0], y - 22, gap - 8, 'above', () => pen.arrow(x[0] + half, y - 12, x[1] - half, y - 12, tone('send', data)));
  move(pen, 'refuse', data, words, between[0], y + 20, gap - 8, 'below', () => pen.arrow(x[1] - half, y + 12, x[0] + half, y + 12, tone('refuse', data)));
  move(pen, 'answer', data, words, between[1], y - 22, gap - 8, 'above', () => pen.arrow(x[1] + half, y - 12, x[2] - half, y - 12, tone('answer', data)));
  move(pen, 'forget', data, words, between[1], y + 20, gap - 8, 'below', () => pen.arrow(x[2] - half, y + 12, x[1] + half, y + 12, tone('forget', data)));
  loop(pen, middle, y - 34, -1, tone('lose', data));
  move(pen, 'lose', data, words, middle, y - 72, 220, 'above', () => undefined);
  loop(pen, middle, y + 34, 1, tone('repeat', data));
  move(pen, 'repeat', data, words, middle, y + 72, 220, 'below', () => undefined);
  foot(pen, data, words);
}

/** From the first state down to the last, with the moves between and beside them. @param {Pen} pen @param {States} data @param {Words} words */
function down(pen, data, words) {
  const w = 140;
  const x = w / 2 + 2;
  const room = pen.width - 70;
  let y = 34;
  state(pen, 'notDone', x, y, w, data, words);
  y = list(pen, ['send', 'refuse'], y + 42, room, data, words);
  state(pen, 'unknown', x, y + 42, w, data, words);
  y = list(pen, ['lose', 'repeat'], y + 84, room, data, words);
  y = list(pen, ['answer', 'forget'], y + 4, room, data, words);
  state(pen, 'done', x, y + 42, w, data, words);
  foot(pen, data, words);
}

/** @type {Record<Move, string>} */
const signs = { send: '↓', refuse: '↑', answer: '↓', forget: '↑', lose: '↺', repeat: '↺' };

/** @param {Pen} pen @param {Move[]} moves @param {number} top @param {number} room @param {States} data @param {Words} words */
function list(pen, moves, top, room, data, { t }) {
  let y = top;
  for (const name of moves) {
    const lit = data.taken[name] > 0;
    pen.text(26, y, signs[name], { cls: `${lit ? 'strong' : 'quiet'}`, anchor: 'middle' });
    y = pen.text(46, y, caption(name, data, t), { cls: lit ? 'strong' : 'quiet', max: room });
  }
  return y;
}

/** @param {Move} name @param {States} data @param {Words['t']} t */
const caption = (name, { taken }, t) => `${t(`pictures.states.${name}`)}${taken[name] > 0 ? ` · ${taken[name]}×` : ''}`;

/** @param {Move} name @param {States} data */
const tone = (name, { taken }) => (taken[name] > 0 ? 'lit' : 'dashed ghost');

/** @param {Pen} pen @param {string} name @param {number} x @param {number} y @param {number} w @param {States} data @param {Words} words */
function state(pen, name, x, y, w, { now, begun }, { t }) {
  const here = begun && now === name;
  pen.box(x - w / 2, y - 34, w, 68, `state-${name} ${here ? 'here' : ''}`, 14);
  pen.text(x, y - (here ? 20 : 10), t(`pictures.states.is.${name}`), { cls: `strong ${name === 'unknown' ? 'unk' : ''}`, anchor: 'middle', max: w - 8 });
  if (here) pen.text(x, y, t('pictures.states.here'), { cls: 'quiet', anchor: 'middle', max: w - 8 });
}

/** @param {Pen} pen @param {Move} name @param {States} data @param {Words} words @param {number} x @param {number} y @param {number} room @param {'above'|'below'} side @param {() => void} arrow */
function move(pen, name, data, { t }, x, y, room, side, arrow) {
  arrow();
  const text = caption(name, data, t);
  const cls = data.taken[name] > 0 ? 'strong' : 'quiet';
  const tall = pen.lines(text, room, cls.includes('strong')).length * 20;
  pen.text(x, side === 'above' ? y - tall : y, text, { cls, anchor: 'middle', max: room });
}

/** An arrow from a state to itself. @param {Pen} pen @param {number} x @param {number} y @param {1|-1} way @param {string} cls */
function loop(pen, x, y, way, cls) {
  pen.path(`M${x - 24} ${y}c-10 ${way * 44} 58 ${way * 44} 48 ${way * 6}`, `p-line open ${cls}`, y + 40);
  pen.path(`M${x + 22} ${y + way}l-6 ${way * 9}h11z`, `p-head ${cls}`);
}

/** @param {Pen} pen @param {States} data @param {Words} words */
function foot(pen, { begun, written, now }, { t }) {
  const key = !begun ? 'pictures.states.before' : written ? 'pictures.states.written' : now === 'done' ? 'pictures.states.unwritten' : '';
  if (key) pen.text(pen.width / 2, pen.bottom + 10, t(key), { cls: 'quiet', anchor: 'middle', max: pen.width - 8 });
}
