import { joined, stripOf } from '../../model/pictures/strip.js';
import { leading } from './pen.js';

/**
 * Picture 1: the window strip. Each step is a button that arms a crash there for the next order.
 *
 * @typedef {import('../../model/pictures/strip.js').Strip} Strip
 * @typedef {import('./frame.js').Words} Words
 * @typedef {import('./pen.js').Pen} Pen
 */

/** @param {import('../../app.js').App} app @returns {import('./frame.js').Picture<Strip>} */
export const strip = (app) => ({
  name: 'strip',
  read: (state, scene) => stripOf(scene.strategy, state.setup.fault, scene.settled),
  draw: (pen, data, words) => (pen.narrow ? down(pen, data, words, app) : across(pen, data, words, app)),
  tell: (data, words) => sentences(data, words),
});

/** @param {string} point */
const short = (point) => `pictures.strip.${point.split('.')[1]}`;

/** @param {Strip} data @param {Words} words */
function sentences({ ticks, bars, told, calm }, { t, of }) {
  if (!told) return [t('pictures.strip.later')];
  const gaps = joined(bars).map(({ from, to, kind, harms }) => t('pictures.strip.gap', {
    from: t(short(ticks[from].point)), to: t(short(ticks[to].point)), kind: t(`pictures.strip.kind.${kind}`), harm: harms.map(of).join(' '),
  }));
  return calm ? [...gaps, t(`pictures.strip.calm.${calm}`)] : gaps;
}

/** @param {Pen} pen @param {Strip['ticks'][number]} tick @param {string} strategy @param {{x: number, y: number, w: number, h: number}} place @param {Words} words @param {import('../../app.js').App} app */
function button(pen, tick, strategy, place, { t }, app) {
  pen.press({
    ...place, id: tick.point, label: t('pictures.strip.arm', { step: t(short(tick.point)) }), pressed: tick.armed, cls: tick.armed ? 'chip armed' : 'chip',
    onpress: () => app.choose({ strategy, fault: { point: tick.point, action: 'crash', times: 1, skip: 0 } }),
  });
}

/** Time runs to the right; what the bars mean stands below. @param {Pen} pen @param {Strip} data @param {Words} words @param {import('../../app.js').App} app */
function across(pen, data, words, app) {
  const { t } = words;
  const { ticks } = data;
  const step = pen.width / ticks.length;
  const x = (/** @type {number} */ i) => step * (i + 0.5);
  const bars = joined(data.bars);
  const name = (/** @type {number} */ i) => pen.lines(t(short(ticks[i].point)), step - 12).length * leading;
  const tall = Math.max(...ticks.map((_, i) => name(i)), leading);
  const chip = Math.max(44, tall + 12);
  const lane = chip + 34;
  for (const { from, to, kind } of bars) pen.hatch(x(from), lane - 12, x(to) - x(from), 24, kind);
  pen.line(x(0), lane, x(ticks.length - 1), lane, 'axis');
  ticks.forEach((tick, i) => {
    pen.text(x(i), 2 + (chip - name(i)) / 2, t(short(tick.point)), { cls: tick.armed ? 'bad' : 'accent', anchor: 'middle', max: step - 12 });
    pen.line(x(i), lane - 20, x(i), lane + 20, tick.armed ? 'bad' : 'tick');
    if (tick.armed) pen.cross(x(i), lane, 8);
    button(pen, tick, data.strategy, { x: x(i) - step / 2 + 3, y: 2, w: step - 6, h: chip }, words, app);
  });
  notes(pen, data, words, lane + 40);
}

/** Time runs down, for a phone and for the narrow column. @param {Pen} pen @param {Strip} data @param {Words} words @param {import('../../app.js').App} app */
function down(pen, data, words, app) {
  const { t } = words;
  const { ticks } = data;
  const row = 44;
  const y = (/** @type {number} */ i) => (row + 4) * i + row / 2 + 1;
  for (const { from, to, kind } of joined(data.bars)) pen.hatch(6, y(from), 24, y(to) - y(from), kind);
  pen.line(18, y(0), 18, y(ticks.length - 1), 'axis');
  ticks.forEach((tick, i) => {
    pen.line(2, y(i), 34, y(i), tick.armed ? 'bad' : 'tick');
    if (tick.armed) pen.cross(18, y(i), 8);
    pen.text(52, y(i) - leading / 2, t(short(tick.point)), { cls: tick.armed ? 'bad' : 'accent' });
    button(pen, tick, data.strategy, { x: 42, y: y(i) - row / 2, w: pen.width - 43, h: row }, words, app);
  });
  notes(pen, data, words, y(ticks.length - 1) + row / 2 + 8);
}

/** @param {Pen} pen @param {Strip} data @param {Words} words @param {number} top */
function notes(pen, data, { t, of }, top) {
  const armed = data.ticks.find((tick) => tick.armed);
  let y = top;
  const { width } = pen;
  if (!data.told) y = pen.text(4, y, t('pictures.strip.later'), { cls: 'quiet', max: width - 8 }) + 4;
  for (const { kind, harms } of joined(data.bars)) {
    pen.hatch(4, y + 2, 24, 16, kind);
    y = pen.text(36, y, t(`pictures.strip.kind.${kind}`), { cls: 'strong', max: width - 40 });
    for (const harm of harms) y = pen.text(36, y, of(harm), { max: width - 40 });
    y += 8;
  }
  if (data.calm) y = pen.text(4, y, t(`pictures.strip.calm.${data.calm}`), { cls: 'strong', max: width - 8 }) + 4;
  pen.text(4, y, armed ? t('pictures.strip.armed', { step: t(short(armed.point)) }) : t('pictures.strip.press'), { cls: armed ? 'bad' : 'quiet', max: width - 8 });
}
