/**
 * Bank, ledger and verdict of a schedule: of what the model leaves of each order.
 *
 * @typedef {import('../types.js').Event} Event
 * @typedef {import('../types.js').Verdict} Verdict
 * @typedef {import('./counterexample.js').Outcome} Outcome
 * @typedef {import('./counterexample.js').Violation} Violation
 * @typedef {{order: number, id: string, at: string}} Charge
 */

/** What an order of the model costs, in minor units, and its points. */
export const amount = 42000;
export const pointsOfOrder = 420;

/** @param {number} order */
export const orderId = (order) => `order-${order}`;
/** @param {number} order */
export const messageId = (order) => `message-000${order}`;

/** @param {Violation} violation @param {Event[]} events @param {Charge[]} charges  every one, whether its answer came or not */
export function booksOf({ property, outcomes }, events, charges) {
  const bank = charges.map(({ order, id, at }) => ({
    charge_id: id, order_id: orderId(order), message_id: messageId(order), amount, currency: 'try', last4: '4242', status: 'succeeded', refunded: 0, at,
  }));
  const lines = outcomes.map((outcome, i) => ({
    order_id: orderId(i + 1), status: outcome.status, amount, currency: 'try', points: outcome.points * pointsOfOrder, receipts: outcome.receipts,
    charge_id: outcome.status === 'paid' ? ownCharge(orderId(i + 1), events) : '',
  }));
  const verdicts = outcomes.map((outcome, i) => judge(outcome, orderId(i + 1), events));
  const worst = verdicts.find(({ verdict }) => verdict !== 'charged-once')?.verdict ?? 'charged-once';
  return {
    order_ids: lines.map((line) => line.order_id), verdicts, verdict: property === 'sale-lost' ? property : worst,
    statement: { bank: { lines: bank }, ledger: { lines } },
  };
}

/** @param {string} id @param {string} step @param {Event[]} events */
const ofOrder = (id, step, events) => events.filter((event) => event.order_id === id && event.step === step);

/** What our ledger has as its charge: the answer that came first to a worker that wrote. @param {string} order @param {Event[]} events */
function ownCharge(order, events) {
  const wrote = ofOrder(order, 'ledger.effects', events)[0];
  const before = ofOrder(order, 'worker.charged', events).filter((event) => event.process.instance === wrote?.process.instance && event.id < wrote.id);
  return before.at(-1)?.detail.charge_id ?? ofOrder(order, 'stripe.find', events).findLast(({ detail }) => detail.charge_id)?.detail.charge_id ?? '';
}

/** @param {Outcome} outcome @param {string} order @param {Event[]} events @returns {Verdict} */
function judge({ charges: n, status, points, receipts }, order, events) {
  /** @template T @param {T} got @param {T} expected */
  const effect = (got, expected) => ({ got, expected, ok: got === expected });
  const answers = ofOrder(order, 'stripe.charge', events).filter(({ detail }) => detail.from === 'stripe');
  return {
    verdict: n > 1 ? 'double-charged' : n === 1 ? 'charged-once' : 'not-charged',
    charges: n, expected: 1, amount_charged: n * amount,
    effects: {
      charge: effect(n, 1), status: effect(status, 'paid'),
      points: effect(points * pointsOfOrder, pointsOfOrder), receipt: effect(receipts, 1),
    },
    ledger: n > (status === 'paid' ? 1 : 0) ? 'missing-charge' : 'agrees',
    deliveries: ofOrder(order, 'broker.deliver', events).length, requests: answers.length,
    replayed: answers.filter(({ detail }) => detail.outcome === 'replayed').length,
  };
}
