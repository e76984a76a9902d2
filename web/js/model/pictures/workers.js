import { guardsOf, keepsKey } from './guards.js';
import { isAnswer, isCall } from './past.js';

/**
 * Picture 3: two workers with one message. Each look and each charge is a moment on its lifeline; what matters is that
 * both looked before either charged. From a run with two workers, or as the scheme of a strategy.
 *
 * @typedef {import('../../types.js').Event} Event
 * @typedef {'look'|'call'|'answer'|'insert'|'blocked'|'held'} MomentKind
 * @typedef {{worker: 0|1, kind: MomentKind, order: number, outcome: string}} Moment
 * @typedef {'none'|'after'|'before'} Gate  where the unique constraint stands: nowhere, after the charge, before it
 * @typedef {{real: boolean, moments: Moment[], barrier: number, gate: Gate, bank: boolean, charges: number}} Race
 *   `barrier`: the order at which both had looked, -1 where they did not meet; `bank`: the bank knows the second key
 *
 * @param {Event[]} past @param {import('../../types.js').Strategy} strategy @returns {Race}
 */
export function raceOf(past, strategy) {
  const gate = gateOf(strategy);
  const bank = keepsKey(guardsOf(strategy));
  const moments = momentsIn(past);
  const barrier = barrierOf(moments);
  if (barrier < 0) return { real: false, moments: scheme(strategy, gate), barrier: 0, gate, bank, charges: 0 };
  const charges = moments.filter(({ outcome }) => outcome === 'charged').length;
  return { real: true, moments, barrier, gate, bank, charges };
}

/** @param {import('../../types.js').Strategy} strategy @returns {Gate} */
function gateOf({ id, steps }) {
  const mark = steps.indexOf('worker.recorded');
  if (id === 'claim-lease') return 'before';
  if (mark < 0 || id === 'check-then-act') return 'none';
  return mark < steps.indexOf('worker.charged') ? 'before' : 'after';
}

/** @param {Event[]} past @returns {Moment[]} */
function momentsIn(past) {
  const numbers = [...new Set(past.filter(({ step }) => step === 'broker.deliver').map(({ process }) => process.number))].slice(0, 2);
  /** @type {Moment[]} */
  const moments = [];
  for (const event of past) {
    const worker = /** @type {0|1|-1} */ (event.process.role === 'worker' ? numbers.indexOf(event.process.number) : -1);
    const kind = worker < 0 ? null : kindOf(event, moments, worker);
    if (kind && worker >= 0) moments.push({ worker: /** @type {0|1} */ (worker), kind, order: moments.length, outcome: isAnswer(event) ? event.detail.outcome ?? '' : '' });
  }
  return moments;
}

/** @param {Event} event @param {Moment[]} before @param {number} worker @returns {MomentKind|null} */
function kindOf(event, before, worker) {
  if (event.step === 'worker.checked') return 'look';
  if (isCall(event)) return 'call';
  if (isAnswer(event)) return 'answer';
  if (event.step === 'worker.recorded') return 'insert';
  if (event.step === 'worker.settled' && event.detail.how === 'retry') return 'held';
  const mine = before.filter((moment) => moment.worker === worker);
  const without = event.step === 'worker.acked' && !mine.some(({ kind }) => kind === 'insert');
  return without && before.some(({ kind }) => kind === 'insert') ? 'blocked' : null;
}

/** Both had looked, or taken the message up, before one of them charged. @param {Moment[]} moments */
function barrierOf(moments) {
  const first = [0, 1].map((worker) => moments.find((moment) => moment.worker === worker && moment.kind !== 'held'));
  if (!first[0] || !first[1]) return -1;
  const met = Math.max(first[0].order, first[1].order);
  const answered = moments.find(({ kind }) => kind === 'answer')?.order ?? Infinity;
  return met < answered ? met : -1;
}

/** What each of the two would do if nobody stopped it. @param {import('../../types.js').Strategy} strategy @param {Gate} gate @returns {Moment[]} */
function scheme({ steps }, gate) {
  /** @type {MomentKind[]} */
  const kinds = [steps.includes('worker.checked') ? 'look' : 'call'];
  if (gate === 'before') kinds.push('insert');
  if (kinds[0] === 'look') kinds.push('call');
  kinds.push('answer');
  if (gate === 'after') kinds.push('insert');
  return kinds.flatMap((kind, i) => [0, 1].map((worker) => (
    { worker: /** @type {0|1} */ (worker), kind, order: i, outcome: '' })));
}
