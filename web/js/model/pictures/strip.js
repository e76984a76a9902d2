import { guardsOf, keepsKey } from './guards.js';

/**
 * Picture 1: the steps of a strategy in their order, and the bars between them where a crash does harm. Bars are
 * told after the run only.
 *
 * @typedef {'twice'|'lost'|'books'} BarKind  charged again; never charged; only our own effects are wrong
 * @typedef {{from: number, to: number, kind: BarKind, harm: import('../../types.js').Text}} Bar  positions in `ticks`
 * @typedef {{point: string, armed: boolean}} Tick
 * @typedef {{strategy: string, ticks: Tick[], bars: Bar[], told: boolean, calm: ''|'absorbed'|'asked'|'none'}} Strip
 *   `calm`: why no bar stands over the charge
 *
 * @param {import('../../types.js').Strategy} strategy @param {import('../../types.js').Fault|null} fault  armed for the next order
 * @param {boolean} told  the run is over @returns {Strip}
 */
export function stripOf(strategy, fault, told) {
  const { steps, windows } = strategy;
  const at = (/** @type {string} */ point) => steps.indexOf(point);
  const ticks = steps.map((point) => ({ point, armed: fault?.point === point && fault.action === 'crash' }));
  const bars = !told ? [] : windows.filter(({ from, to }) => at(from) >= 0 && at(to) > at(from)).map(({ from, to, effect, harm }) => (
    { from: at(from), to: at(to), kind: kindOf(effect, at(to) <= at('worker.charged')), harm }));
  const over = bars.some(({ kind }) => kind !== 'books');
  return { strategy: strategy.id, ticks, bars, told, calm: told && !over ? calmOf(strategy) : '' };
}

/** @param {string} effect  all that go wrong, separated by commas @param {boolean} before  the charge has been made @returns {BarKind} */
function kindOf(effect, before) {
  if (!effect.split(/,\s*/).includes('charge')) return 'books';
  return before ? 'lost' : 'twice';
}

/** @param {import('../../types.js').Strategy} strategy */
function calmOf(strategy) {
  const guards = guardsOf(strategy);
  if (keepsKey(guards)) return 'absorbed';
  return guards.asks === 'always' ? 'asked' : 'none';
}

/** Bars that touch and do the same harm to the charge are one gap to the eye. @param {Bar[]} bars @returns {Array<{from: number, to: number, kind: BarKind, harms: Array<import('../../types.js').Text>}>} */
export function joined(bars) {
  /** @type {ReturnType<typeof joined>} */
  const out = [];
  for (const { from, to, kind, harm } of bars) {
    const last = out.at(-1);
    if (!last || last.kind !== kind || last.to !== from) out.push({ from, to, kind, harms: [harm] });
    else {
      last.to = to;
      if (!last.harms.some(({ en }) => en === harm.en)) last.harms.push(harm);
    }
  }
  return out;
}
