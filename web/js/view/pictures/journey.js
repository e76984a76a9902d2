import { shortTail } from '../../lib/format.js';
import { journeyOf } from '../../model/pictures/journey.js';
import { pastOf } from '../../model/pictures/past.js';

/**
 * Picture 2: three tags from the click to the bank, one line for each delivery.
 *
 * @typedef {ReturnType<typeof journeyOf>} Journey
 * @typedef {Journey['legs'][number]} Leg
 * @typedef {import('./frame.js').Words} Words
 * @typedef {import('./pen.js').Pen} Pen
 */

/** @returns {import('./frame.js').Picture<Journey>} */
export const journey = () => ({
  name: 'journey',
  read: (state, scene) => journeyOf(pastOf(state.run, scene), scene.strategy, state.run?.key || state.key),
  draw,
  tell: (data, words) => (data.legs.length > 0 ? data.legs.map((leg) => sentence(leg, data, words)) : [words.t('pictures.journey.none')]),
});

/** @param {Pen} pen @param {Journey} data @param {Words} words */
function draw(pen, data, words) {
  const { t } = words;
  const { column, x } = columnsOf(pen);
  const bottoms = ['click', 'message', 'bank'].map((name, i) => {
    const y = pen.text(x[i], 0, t(`pictures.journey.${name}`), { cls: pen.width < 340 ? '' : 'strong', anchor: 'middle', max: column[i] - 4 });
    return pen.text(x[i], y, t(`pictures.journey.${name}.by`), { cls: 'quiet', anchor: 'middle', max: column[i] - 4 });
  });
  let top = Math.max(...bottoms) + 14;
  if (data.legs.length === 0) empty(pen, data, words, x, top);
  data.legs.slice(0, 4).forEach((leg, i) => { top = drawLeg(pen, leg, data, words, x, top, i > 0) + 34; });
}

/** Three columns; the first is as wide as the longest name of a header. @param {Pen} pen */
function columnsOf(pen) {
  const first = Math.max(114, pen.width / 3);
  const other = (pen.width - first) / 2;
  return { column: [first, other, other], x: [first / 2, first + other / 2, first + other * 1.5] };
}

/** Before the first delivery: the tags that are there, and the way that is still to go. @param {Pen} pen @param {Journey} data @param {Words} words @param {number[]} x @param {number} y */
function empty(pen, data, { t }, x, y) {
  const a = pen.tag(x[0], y, tailOf(data.click), 'key', data.click ? '' : 'ghost');
  const b = pen.tag(x[1], y, tailOf(data.message), 'message', data.message ? '' : 'ghost');
  const c = pen.tag(x[2], y, '…', 'key', 'ghost');
  pen.arrow(x[0] + a / 2 + 6, y + 13, x[1] - b / 2 - 6, y + 13, data.message ? '' : 'ghost');
  pen.arrow(x[1] + b / 2 + 6, y + 13, x[2] - c / 2 - 6, y + 13, 'ghost');
  pen.text(pen.width / 2, y + 44, t('pictures.journey.none'), { cls: 'quiet', anchor: 'middle', max: pen.width - 8 });
}

/** @param {Pen} pen @param {Leg} leg @param {Journey} data @param {Words} words @param {number[]} x @param {number} y @param {boolean} below @returns {number} the lower edge */
function drawLeg(pen, leg, data, words, x, y, below) {
  const { t } = words;
  const { column } = columnsOf(pen);
  const message = pen.tag(x[1], y, tailOf(leg.message), 'message');
  if (leg.click) {
    const click = pen.tag(x[0], y, tailOf(leg.click), 'key');
    pen.arrow(x[0] + click / 2 + 6, y + 13, x[1] - message / 2 - 6, y + 13);
  } else pen.text(x[0], y + 3, t('pictures.journey.again', { n: leg.n }), { cls: 'warn', anchor: 'middle', max: column[0] - 8 });
  if (below && leg.messageJoint) joint(pen, x[1], y, leg.messageJoint);
  if (!leg.key) {
    if (leg.outcome || !leg.killed) pen.text(x[2], y + 3, t(leg.outcome ? `pictures.journey.outcome.${leg.outcome}` : 'pictures.journey.nocall'), { cls: 'quiet', anchor: 'middle', max: column[2] - 4 });
    return y + 46;
  }
  const fresh = leg.minted;
  const key = pen.tag(x[2], y, tailOf(leg.key), 'key', leg.keyJoint === 'other' ? 'bad' : leg.outcome === 'replayed' ? 'replay' : '');
  pen.arrow(x[1] + message / 2 + 6, y + 13, x[2] - key / 2 - 6, y + 13, fresh ? 'dashed' : '');
  sign(pen, (x[1] + message / 2 + x[2] - key / 2) / 2, y + 13, leg.key === leg.message ? '=' : '≠', leg.key === leg.message ? '' : 'bad');
  if (below && leg.keyJoint) joint(pen, x[2], y, leg.keyJoint);
  const after = leg.outcome ? t(`pictures.journey.outcome.${leg.outcome}`) : '';
  const told = pen.text(x[2], y + 30, leg.killed ? t('pictures.journey.killed', { what: after }) : after, { cls: outcomeClass(leg), anchor: 'middle', max: column[2] - 4 });
  if (!fresh) return told;
  const place = pen.narrow ? { x: pen.width / 2, y: told, max: pen.width - 8 } : { x: x[1], y: y + 30, max: column[1] - 4 };
  return Math.max(told, pen.text(place.x, place.y, t(`pictures.journey.made.${data.source}`), { cls: 'bad', anchor: 'middle', max: place.max }));
}

/** @param {Leg} leg */
const outcomeClass = ({ outcome, keyJoint }) => (outcome === 'replayed' ? 'replay' : outcome === 'unknown' ? 'unk' : outcome === 'charged' && keyJoint === 'other' ? 'bad' : '');

/** Equal tags of two lines are joined by an equals sign, unequal ones by its opposite. @param {Pen} pen @param {number} x @param {number} y  of the lower tag @param {'same'|'other'} joint */
function joint(pen, x, y, joint) { sign(pen, x, y - 13, joint === 'same' ? '=' : '≠', joint === 'same' ? '' : 'bad'); }

/** @param {Pen} pen @param {number} x @param {number} y @param {string} text @param {string} cls */
function sign(pen, x, y, text, cls) {
  pen.dot(x, y, 11, `sign ${cls}`);
  pen.text(x, y - 10, text, { cls: `strong ${cls}`, anchor: 'middle' });
}

/** @param {string} id */
const tailOf = (id) => (id ? `…${shortTail(id)}` : '…');

/** @param {Leg} leg @param {Journey} data @param {Words} words */
function sentence(leg, data, { t }) {
  const bank = !leg.key ? t('pictures.journey.nocall')
    : t(leg.key === leg.message ? 'pictures.journey.say.same' : 'pictures.journey.say.other', { key: shortTail(leg.key) });
  const made = leg.minted ? t(`pictures.journey.made.${data.source}`) : '';
  const joint = leg.keyJoint ? t(`pictures.journey.say.joint.${leg.keyJoint}`) : '';
  const outcome = leg.outcome ? t(`pictures.journey.outcome.${leg.outcome}`) : '';
  return [t('pictures.journey.say', { n: leg.n, message: shortTail(leg.message) }), bank, made, joint, outcome].filter(Boolean).join(' · ');
}
