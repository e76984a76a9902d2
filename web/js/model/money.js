/**
 * Events → the bank statement beside our ledger, and the notices on the phone. Amounts are integers in minor units
 * from end to end.
 *
 * @typedef {import('../types.js').Event} Event
 * @typedef {import('../types.js').BankLine} BankLine
 * @typedef {import('../types.js').LedgerLine} LedgerLine
 * @typedef {import('../types.js').Statement} Statement
 * @typedef {{amount: number, currency: string, last4: string, orderId: string}} Order
 * @typedef {{kind: 'bank'|'declined'|'mail'|'customer', at: string, amount: number, currency: string, last4: string}} Notice
 */

/**
 * The bank's lines as the events tell them. What the events do not know (an answer that was lost) comes when the worker
 * finds it at the bank, or with the final statement.
 * @param {Event[]} events @param {Order} order @returns {BankLine[]}
 */
export function bankLines(events, order) {
  /** @type {Map<string, BankLine>} */
  const lines = new Map();
  for (const event of events) {
    const { outcome = '', charge_id: id = '' } = event.detail;
    if (!event.step.startsWith('stripe.') || !['charged', 'declined'].includes(outcome)) continue;
    if (event.step === 'stripe.find' && lines.has(id)) continue;
    lines.set(id || String(event.id), {
      charge_id: id, order_id: event.order_id ?? order.orderId, message_id: event.message_id ?? '',
      amount: event.detail.amount || order.amount, currency: event.detail.currency || order.currency,
      last4: order.last4, status: outcome === 'charged' ? 'succeeded' : 'failed', refunded: 0, at: event.at,
    });
  }
  return [...lines.values()];
}

/** @param {Event[]} events @param {Order} order @returns {LedgerLine[]} */
export function ledgerLines(events, order) {
  if (!events.some((event) => event.order_id)) return [];
  const line = {
    order_id: order.orderId, status: 'pending', amount: order.amount, currency: order.currency,
    charge_id: '', points: 0, receipts: 0,
  };
  /** What the bank said last to each process. @type {Map<number, {outcome: string, charge: string}>} */
  const answers = new Map();
  for (const event of events) {
    if (order.orderId && event.order_id !== order.orderId) continue;
    const { step, detail, process: { instance } } = event;
    if (step.startsWith('stripe.') && detail.outcome) answers.set(instance, { outcome: detail.outcome, charge: detail.charge_id ?? '' });
    const answer = answers.get(instance) ?? { outcome: '', charge: '' };
    if (step === 'ledger.effects') {
      line.status = answer.outcome === 'declined' ? 'failed' : 'paid';
      line.points += detail.points_delta ?? 0;
      if (line.status === 'paid') line.charge_id ||= detail.charge_id || answer.charge;
    }
    if (['worker.applied', 'worker.recorded'].includes(step) && answer.outcome === 'declined') line.status = 'failed';
    if (step === 'mail.sent') line.receipts += 1;
  }
  return [line];
}

/**
 * The lines of the run's orders in a statement that may hold many.
 * @param {Statement} statement @param {string[]} orderIds
 */
export function ofOrders(statement, orderIds) {
  return {
    bank: statement.bank.lines.filter((line) => orderIds.includes(line.order_id)),
    ledger: statement.ledger.lines.filter((line) => orderIds.includes(line.order_id)),
  };
}

/**
 * Puts the two books side by side: one row per charge or order, equal charges on one row.
 * @typedef {{bank: BankLine|null, ledger: LedgerLine|null, gap: ''|'missing'|'extra'}} Pair
 * @param {BankLine[]} bank @param {LedgerLine[]} ledger @param {boolean} settled  differences are named only then
 * @returns {Pair[]}
 */
export function pair(bank, ledger, settled) {
  const left = new Set(ledger);
  /** @type {Pair[]} */
  const pairs = bank.map((line) => {
    const match = ledger.find((l) => left.has(l) && l.charge_id !== '' && l.charge_id === line.charge_id) ?? null;
    if (match) left.delete(match);
    const took = line.status === 'succeeded';
    return { bank: line, ledger: match, gap: settled && took && !match ? 'missing' : '' };
  });
  for (const line of left) {
    const alone = pairs.find((p) => p.bank?.order_id === line.order_id && !p.ledger && line.charge_id === '');
    const open = !settled || alone?.bank?.status !== 'succeeded';
    const extra = settled && line.charge_id !== '' && line.status === 'paid';
    if (alone && open) alone.ledger = line;
    else pairs.push({ bank: null, ledger: line, gap: extra ? 'extra' : '' });
  }
  return pairs;
}

/** @param {BankLine[]} bank */
export function total(bank) {
  return bank.filter((l) => l.status === 'succeeded').reduce((sum, l) => sum + l.amount, 0);
}

/**
 * One notice per charge at the bank, then the receipt, then what the customer writes.
 * @param {BankLine[]} bank @param {Event[]} events @param {boolean} complains @returns {Notice[]}
 */
export function notices(bank, events, complains) {
  const list = bank.map((line) => /** @type {Notice} */ ({
    kind: line.status === 'succeeded' ? 'bank' : 'declined',
    at: line.at, amount: line.amount, currency: line.currency, last4: line.last4,
  }));
  for (const event of events) {
    if (event.step === 'mail.sent') list.push({ kind: 'mail', at: event.at, amount: 0, currency: '', last4: '' });
  }
  if (complains) list.push({ kind: 'customer', at: '', amount: 0, currency: '', last4: '' });
  return list;
}
