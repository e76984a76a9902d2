import { newRun } from './run.js';
import { sku } from './catalogue.js';

/**
 * The document of a run, as GET lab/runs/{id} answers it and as it is exported, and the run that the stage shows of
 * it. A document may come from a file, so nothing in it is believed: what does not have its shape is refused.
 *
 * @typedef {import('../types.js').Run} Run
 * @typedef {import('../types.js').Verdict} Verdict
 * @typedef {import('../types.js').RunDocument} RunDocument
 */

/** @type {Array<'charge'|'status'|'points'|'receipt'>} */
const effects = ['charge', 'status', 'points', 'receipt'];

/** @param {unknown} value @returns {value is Record<string, any>} */
const object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value */
const text = (value) => typeof value === 'string';

/** The most events a document may have: more than any run, few enough for a browser. */
const mostEvents = 20000;

/** @param {unknown} data @returns {RunDocument|null} */
export function documentOf(data) {
  if (!object(data) || !text(data.id) || !text(data.strategy) || !Array.isArray(data.events)) return null;
  if (!Array.isArray(data.verdicts) || !object(data.statement) || data.events.length > mostEvents) return null;
  const sound = data.events.every(isEvent) && data.verdicts.every(isVerdict)
    && lines(data.statement.bank) && lines(data.statement.ledger);
  return sound ? /** @type {RunDocument} */ (/** @type {unknown} */ (data)) : null;
}

/** @param {any} event */
const isEvent = (event) => object(event) && Number.isInteger(event.id) && text(event.at) && text(event.step)
  && object(event.process) && object(event.detail ?? {});

/** @param {any} verdict */
const isVerdict = (verdict) => object(verdict) && text(verdict.verdict) && Number.isInteger(verdict.charges)
  && object(verdict.effects) && effects.every((name) => object(verdict.effects[name]));

/** @param {any} book */
const lines = (book) => object(book) && Array.isArray(book.lines)
  && book.lines.every((/** @type {any} */ line) => object(line) && Number.isInteger(line.amount) && text(line.currency));

/** @param {RunDocument} saved @returns {Run} */
export function runOf(saved) {
  const { statement, verdicts } = saved;
  const ids = saved.order_ids ?? [...new Set(statement.ledger.lines.map((line) => line.order_id))];
  const first = saved.faults?.[0];
  const setup = {
    strategy: saved.strategy, card: 'pm_card_visa', sku, currency: statement.ledger.lines[0]?.currency ?? 'try',
    fault: first ? { point: first.point, action: first.action, times: first.times ?? 1, skip: first.skip ?? 0 } : null,
  };
  return {
    ...newRun(setup, keyIn(saved), statement.ledger.lines[0]?.amount ?? 0),
    phase: saved.state === 'finished' ? 'finished' : 'running',
    orderId: ids[0] ?? '', orderIds: ids, events: saved.events.map(complete), statement,
    verdict: verdicts.length > 0 ? together(verdicts, saved.verdict) : null,
    last4: statement.bank.lines[0]?.last4 || '4242',
    record: { id: saved.id, at: saved.at ?? '', commit: saved.commit ?? '', source: saved.source ?? 'lab', faults: saved.faults ?? [], column: columnOf(saved) },
  };
}

/** The column of the matrix to which the run belongs, as far as its spec tells. @param {RunDocument} saved */
export function columnOf({ faults = [], orders = 1, then = [] }) {
  const [first] = faults;
  if (orders > 1) return 'second-purchase';
  if (then.some((reaction) => reaction.do === 'redis.flush')) return 'redis.flush';
  if (then.some((reaction) => reaction.do === 'clock')) return 'key-forgotten';
  if (faults.some((fault) => fault.action === 'hold')) return 'two-workers';
  return first ? (first.action && first.action !== 'duplicate' ? `${first.action}:${first.point}` : first.point) : '';
}

/** @param {import('../types.js').Event} event */
const complete = (event) => ({ ...event, detail: event.detail ?? {} });

/** @param {RunDocument} saved */
const keyIn = ({ events }) => events.find((event) => event.step === 'http.request')?.detail?.key ?? '';

/** Several orders in one verdict: sums, and the word for the worst. @param {Verdict[]} verdicts @param {string} [worst] @returns {Verdict} */
function together(verdicts, worst) {
  if (verdicts.length === 1) return verdicts[0];
  /** @param {(v: Verdict) => number} pick */
  const sum = (pick) => verdicts.reduce((total, v) => total + pick(v), 0);
  const all = Object.fromEntries(effects.map((name) => {
    const each = verdicts.map((v) => v.effects[name]);
    const wrong = each.find((effect) => !effect.ok);
    const numbers = each.every((effect) => typeof effect.got === 'number');
    return [name, numbers
      ? { got: each.reduce((n, e) => n + Number(e.got), 0), expected: each.reduce((n, e) => n + Number(e.expected), 0), ok: !wrong }
      : wrong ?? each[0]];
  }));
  return {
    verdict: worst || verdicts[0].verdict, charges: sum((v) => v.charges), expected: sum((v) => v.expected),
    amount_charged: sum((v) => v.amount_charged), deliveries: sum((v) => v.deliveries), requests: sum((v) => v.requests),
    replayed: sum((v) => v.replayed), ledger: verdicts.find((v) => v.ledger !== 'agrees')?.ledger ?? 'agrees',
    effects: /** @type {Verdict['effects']} */ (all),
  };
}

/** Orders that came of one purchase, because the shop made a key too many: one of each effect was intended. @param {Verdict[]} verdicts @returns {Verdict} */
export function ofOnePurchase(verdicts) {
  const all = together(verdicts);
  const intended = verdicts[0].effects;
  const entries = effects.map((name) => {
    const { got } = all.effects[name];
    const { expected } = intended[name];
    return [name, { got, expected, ok: all.effects[name].ok && got === expected }];
  });
  return { ...all, expected: 1, effects: /** @type {Verdict['effects']} */ (Object.fromEntries(entries)) };
}
