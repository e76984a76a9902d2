import { h, attr, find, setText } from '../../lib/dom.js';
import { count } from '../../lib/format.js';
import { cameBy, fateAt, inUnits, marks, memoryOf, moment, place, week } from '../../model/pictures/memory.js';
import { leading } from './pen.js';

/**
 * Picture 4: who remembers how long, against how late a delivery can come. A marker is moved by a slider.
 *
 * @typedef {ReturnType<typeof memoryOf> & {told: boolean, at: number}} Memory
 * @typedef {import('./frame.js').Words} Words
 * @typedef {import('./pen.js').Pen} Pen
 */

const steps = 200;

/** @param {() => void} redraw @returns {import('./frame.js').Picture<Memory>} */
export function memory(redraw) {
  const slider = /** @type {HTMLInputElement} */ (h('input', { type: 'range', min: '0', max: String(steps), value: '40', oninput: redraw }));
  const controls = h('label.moment', {}, h('span'), slider, h('output.num'));
  return {
    name: 'memory',
    controls,
    read: (state, scene) => ({
      ...memoryOf(scene.strategy, state.lab?.settings.retry_ms ?? [500, 2000, 10000]), told: scene.settled, at: moment(Number(slider.value) / steps),
    }),
    draw,
    tell: sentences,
    label(data, words) {
      setText(find('span', controls), words.t('pictures.memory.slider'));
      setText(find('output', controls), duration(data.at, words));
      attr(slider, 'aria-valuetext', `${duration(data.at, words)}. ${fate(data, words)}`);
    },
  };
}

/** @param {number} seconds @param {Words} words */
function duration(seconds, { t, lang }) {
  const { n, unit } = inUnits(seconds);
  return t(`pictures.unit.${unit}`, { n: count(lang, n) });
}

/** @param {Memory} data @param {Words} words */
function fate(data, { t }) {
  const came = t(`pictures.memory.came.${cameBy(data, data.at)}`);
  return data.told ? `${came} ${t(`pictures.memory.fate.${fateAt(data, data.at)}`)}` : `${came} ${t('pictures.memory.later')}`;
}

/** @param {Pen} pen @param {Memory} data @param {Words} words */
function draw(pen, data, words) {
  const { t } = words;
  const left = 8;
  const right = pen.width - 18;
  const x = (/** @type {number} */ seconds) => left + place(seconds) * (right - left);
  let y = 4;
  const { danger } = data;
  for (const bar of data.bars) {
    pen.text(left, y, `${t(`pictures.memory.bar.${bar.name}`)} · ${note(bar, data, words)}`, { max: pen.width - 16, cls: 'strong' });
    const tall = pen.lines(`${t(`pictures.memory.bar.${bar.name}`)} · ${note(bar, data, words)}`, pen.width - 16, true).length * leading;
    drawBar(pen, bar, x, y + tall + 2);
    pen.line(x(data.at), y + tall - 1, x(data.at), y + tall + 19, 'marker');
    y += tall + 26;
  }
  if (data.told && danger) {
    pen.hatch(x(danger.from), y + 4, x(danger.to) - x(danger.from), 20, 'twice');
    pen.line(x(data.at), y + 1, x(data.at), y + 27, 'marker');
    y = pen.text(left, y + 28, t('pictures.memory.danger'), { cls: 'bad strong', max: pen.width - 16 });
  } else if (data.told) y = pen.text(left, y + 4, t('pictures.memory.safe'), { cls: 'strong', max: pen.width - 16 });
  axis(pen, x, y + 8, words);
  pen.path(`M${x(data.at) - 7} ${y + 8}h14l-7 -10z`, 'p-head accent');
  const fated = data.told && fateAt(data, data.at) === 'again';
  pen.text(left, y + 36, fate(data, words), { cls: fated ? 'bad' : '', max: pen.width - 16 });
}

/** @param {Pen} pen @param {Memory['bars'][number]} bar @param {(seconds: number) => number} x @param {number} y */
function drawBar(pen, { name, from, to, open, none, ticks }, x, y) {
  if (none) return pen.line(x(1), y + 7, x(week), y + 7, 'ghost dashed');
  const kind = name === 'retries' || name === 'dead' ? 'waits' : 'keeps';
  pen.box(x(from), y, x(to) - x(from), 14, kind, 2);
  if (open) pen.path(`M${x(to)} ${y - 1}l10 8l-10 8z`, `p-head ${kind}`);
  for (const tick of ticks) pen.line(x(tick), y - 2, x(tick), y + 16, 'strong');
  return undefined;
}

/** @param {Pen} pen @param {(seconds: number) => number} x @param {number} y @param {Words} words */
function axis(pen, x, y, { t }) {
  pen.line(x(1), y, x(week), y, 'axis');
  const used = pen.narrow ? marks.filter((_, i) => i % 2 === 0) : marks;
  used.forEach(({ at, n, unit }, i) => {
    pen.line(x(at), y, x(at), y + 6, 'axis');
    pen.text(x(at) + (i === used.length - 1 ? 16 : 0) - (i === 0 ? 6 : 0), y + 8, t(`pictures.unit.${unit}`, { n }), { cls: 'quiet', anchor: i === 0 ? 'start' : i === used.length - 1 ? 'end' : 'middle' });
  });
}

/** What is to be said of a bar beside its name. @param {Memory['bars'][number]} bar @param {Memory} data @param {Words} words */
function note({ name, to, ticks, none }, data, words) {
  const { t } = words;
  if (name === 'seen') return t(`pictures.memory.seen.${data.memory}`);
  if (name === 'bank') return t(none ? 'pictures.memory.bank.none' : 'pictures.memory.bank.keeps');
  if (none && data.before === 'ack') return t('pictures.memory.acked');
  if (name === 'dead') return t('pictures.memory.dead');
  return t('pictures.memory.retries', { n: ticks.length, time: duration(Math.round(to), words) });
}

/** @param {Memory} data @param {Words} words */
function sentences(data, words) {
  const { t } = words;
  const bars = data.bars.map((bar) => `${t(`pictures.memory.bar.${bar.name}`)}: ${note(bar, data, words)}`);
  if (!data.told) return [...bars, t('pictures.memory.later')];
  return [...bars, data.danger ? t('pictures.memory.say.danger', {
    from: duration(data.danger.from, words), to: duration(data.danger.to, words) }) : t('pictures.memory.safe')];
}
