import { formatRoute } from '../../model/route.js';
import { pastOf } from '../../model/pictures/past.js';
import { raceOf } from '../../model/pictures/workers.js';
import { leading } from './pen.js';

/**
 * Picture 3: two workers look at the same moment. Time runs down; the charges stand beside their workers and stay.
 *
 * @typedef {import('../../model/pictures/workers.js').Race} Race
 * @typedef {Race & {told: boolean}} Told  `told`: what the strategy does about it may be said
 * @typedef {import('./frame.js').Words} Words
 * @typedef {import('./pen.js').Pen} Pen
 */

/** @param {import('../../app.js').App} app @param {() => void} redraw @returns {import('./frame.js').Picture<Told & {strategy: string, trying: string}>} */
export function workers(app, redraw) {
  const cell = twoWorkers(app, redraw);
  return {
    name: 'workers',
    read: (state, scene) => ({ ...raceOf(pastOf(state.run, scene), scene.strategy), told: scene.settled, strategy: scene.strategy.id, trying: cell.said() }),
    draw(pen, data, words) {
      drawRace(pen, data, words);
      if (!data.real) offer(pen, data.trying, words, () => void cell.open(data.strategy));
    },
    tell: (data, words) => sentences(data, words),
  };
}

/** The cell of the matrix with two deliveries at once: run, then opened. @param {import('../../app.js').App} app @param {() => void} redraw */
function twoWorkers(app, redraw) {
  let said = '';
  /** @param {string} word */
  const say = (word) => { said = word; redraw(); };
  return {
    said: () => said,
    /** @param {string} strategy */
    async open(strategy) {
      if (said === 'running') return;
      say('running');
      try {
        const { lab } = await import('../../net/api.js');
        const { id } = await lab('POST', 'matrix', { strategy: [strategy], fault: ['two-workers'] });
        location.hash = formatRoute({ view: 'run', id: await runOf(lab, id), present: app.state.route.present });
        say('');
      } catch {
        say('failed');
      }
    },
  };
}

/** Waits for the cell. @param {typeof import('../../net/api.js').lab} lab @param {string} id @returns {Promise<string>} the id of its run */
async function runOf(lab, id) {
  for (let i = 0; i < 60; i += 1) {
    const { state, cells } = await lab('GET', `matrix/${id}`);
    const run = cells?.[0]?.run;
    if (run) return run;
    if (state !== 'running') break;
    await new Promise((done) => { setTimeout(done, 500); });
  }
  throw new Error('the cell has no run');
}

/** @param {Pen} pen @param {Told} data @param {Words} words */
function drawRace(pen, data, { t }) {
  const { moments, barrier, gate } = data;
  const row = pen.narrow ? 44 : 30;
  const top = 30;
  const room = pen.width / 2;
  const apart = pen.narrow ? 26 : 70;
  const x = [room - apart, room + apart];
  const last = moments.at(-1)?.order ?? 0;
  const beam = barrier + 1;
  /** One row is left free for the line that says both have looked. */
  const y = (/** @type {number} */ order) => top + row * (order + 0.5 + (order >= beam ? 1 : 0));
  const end = y(last) + row / 2;
  x.forEach((at, i) => {
    pen.text(at, 0, t('pictures.workers.name', { n: i + 1 }), { cls: 'strong', anchor: i === 0 ? 'end' : 'start' });
    pen.line(at, 24, at, end, 'life');
    const mine = moments.filter(({ worker }) => worker === i);
    const from = mine.find(({ kind }) => kind === 'look') ?? mine[0];
    const to = mine.filter(({ kind }) => kind === 'answer' || kind === 'call').at(-1);
    if (from && to) pen.box(at - 9, y(from.order) - 10, 18, y(to.order) - y(from.order) + 20, data.real ? 'span' : 'span ghost', 4);
  });
  const line = y(beam) - row;
  pen.line(4, line, pen.width - 4, line, 'unk dashed');
  label(pen, room, line, t(moments.some(({ kind }) => kind === 'look') ? 'pictures.workers.barrier' : 'pictures.workers.barrier.nolook'), 'unk');
  for (const moment of moments) drawMoment(pen, moment, data, x[moment.worker], y(moment.order), t);
  if (!data.told) return;
  const foot = pen.text(room, end + 6, t(`pictures.workers.gate.${gate}`), { cls: 'strong', anchor: 'middle', max: pen.width - 8 });
  const bank = pen.text(room, foot, t(data.bank ? 'pictures.workers.bank' : 'pictures.workers.nobank'), { cls: 'quiet', anchor: 'middle', max: pen.width - 8 });
  if (data.real) pen.text(room, bank, t('pictures.workers.charges', { n: data.charges }), { cls: data.charges > 1 ? 'strong bad' : 'strong', anchor: 'middle', max: pen.width - 8 });
}

/** Words on a line. @param {Pen} pen @param {number} x @param {number} y @param {string} text @param {string} cls */
function label(pen, x, y, text, cls) {
  const w = pen.wide(text, true) + 16;
  pen.box(x - w / 2, y - 12, w, 24, `plate ${cls}`, 4);
  pen.text(x, y - 10, text, { cls: `strong ${cls}`, anchor: 'middle' });
}

/** @param {Pen} pen @param {Race['moments'][number]} moment @param {Race} data @param {number} x @param {number} y @param {Words['t']} t */
function drawMoment(pen, { worker, kind, outcome }, { real }, x, y, t) {
  const side = worker === 0 ? -1 : 1;
  const [cls, tone] = outcome === 'charged' ? ['charge', 'strong'] : kind === 'blocked' || kind === 'held' ? ['bad', 'bad'] : outcome === 'replayed' ? ['replay', 'replay'] : ['', real ? '' : 'quiet'];
  const gate = kind === 'blocked' || kind === 'held' || kind === 'insert';
  const half = pen.narrow ? 22 : 34;
  if (gate) drawGate(pen, x, y, half, kind === 'insert');
  else pen.dot(x, y, kind === 'answer' ? 8 : 5, `${cls} ${real ? '' : 'ghost'}`);
  const word = t(outcome ? `pictures.workers.answer.${outcome}` : kind === 'insert' && !real ? 'pictures.workers.insert.plan' : `pictures.workers.${kind}`);
  const begin = gate ? half + 6 : 24;
  const max = (side < 0 ? x : pen.width - x) - begin;
  pen.text(x + side * begin, y - pen.lines(word, max, tone.includes('strong')).length * leading / 2, word, { cls: tone, anchor: side < 0 ? 'end' : 'start', max });
}

/** The unique constraint: open for one, shut for the other. @param {Pen} pen @param {number} x @param {number} y @param {number} half @param {boolean} open */
function drawGate(pen, x, y, half, open) {
  if (!open) return pen.box(x - half, y - 4, 2 * half, 8, 'gate shut', 0);
  pen.box(x - half, y - 4, half - 8, 8, 'gate', 0);
  return pen.box(x + 8, y - 4, half - 8, 8, 'gate', 0);
}

/** @param {Pen} pen @param {string} trying @param {Words} words @param {() => void} onpress */
function offer(pen, trying, { t }, onpress) {
  const text = t(trying ? `pictures.workers.${trying}` : 'pictures.workers.run');
  const w = Math.min(pen.width - 4, pen.wide(text, true) + 40);
  const y = pen.bottom + 8;
  const x = (pen.width - w) / 2;
  const tall = pen.lines(text, w - 16, true).length * leading;
  pen.press({ id: 'run', label: text, x, y, w, h: tall + 24, onpress, cls: 'button' });
  pen.text(pen.width / 2, y + 12, text, { cls: 'strong accent', anchor: 'middle', max: w - 16 });
}

/** @param {Told} data @param {Words} words */
function sentences({ real, told: after, moments, gate, charges, bank }, { t }) {
  const told = !real ? [t('pictures.workers.scheme')] : moments.map(({ worker, kind, outcome }) => t('pictures.workers.say', {
    n: worker + 1, what: t(outcome ? `pictures.workers.answer.${outcome}` : `pictures.workers.${kind}`) }));
  if (!after) return told;
  return [...told, t(`pictures.workers.gate.${gate}`), t(bank ? 'pictures.workers.bank' : 'pictures.workers.nobank'),
    ...(real ? [t('pictures.workers.charges', { n: charges })] : [])];
}
