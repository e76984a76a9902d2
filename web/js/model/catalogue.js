/**
 * What can be chosen, in the order in which it is shown. What the strategies are comes from the server; here is only
 * where they stand on the page.
 *
 * @typedef {import('../types.js').Strategy} Strategy
 */

/** The ladder: each rung closes a hole of the one before. */
export const ladder = ['naive', 'ack-first', 'seen-set', 'key-only', 'seen-set-and-key'];

/** The others, by what they teach. One that is not named here is the learner's own. */
export const groups = [
  { name: 'order', ids: ['mark-first', 'check-then-act', 'transactional', 'claim-lease', 'lookup-first', 'redelivered-only'] },
  { name: 'stores', ids: ['redis-seen-set', 'hybrid'] },
  { name: 'keys', ids: ['payload-key', 'receiver-key', 'timestamp-key', 'trace-key'] },
];

/** @param {Strategy[]} all @returns {Array<{name: string, ids: string[]}>} */
export function grouped(all) {
  const placed = new Set([...ladder, ...groups.flatMap((g) => g.ids)]);
  const own = all.map((s) => s.id).filter((id) => !placed.has(id));
  return own.length > 0 ? [...groups, { name: 'own', ids: own }] : groups;
}

/** Every step a fault can strike, in the order of a payment's life. */
export const points = [
  'api.received', 'api.written', 'api.committed',
  'relay.claimed', 'relay.published', 'relay.marked',
  'worker.received', 'worker.checked', 'worker.charging', 'worker.charged',
  'worker.applied', 'worker.recorded', 'worker.acked',
  'mail.claimed', 'mail.sent', 'mail.marked',
];

export const actions = ['crash', 'error', 'hang', 'disconnect'];

/** What can happen on the way to the bank and back, and in the broker: the point says it all. */
export const troubles = [
  'stripe.request_lost', 'stripe.response_lost', 'stripe.charged_then_500', 'stripe.error_500', 'stripe.stored_500',
  'stripe.rate_limited', 'stripe.key_in_use', 'stripe.slow', 'broker.duplicate',
];

export const times = [1, 2, 3];
export const skips = [0, 1, 2];

/** How the shop makes its Idempotency-Key: when the form opens, at each press, or anew after a reload. */
export const keyHabits = ['open', 'click', 'reload'];

/** Cards of Stripe's test mode. */
export const cards = [
  { id: 'pm_card_visa', last4: '4242', declines: false },
  { id: 'pm_card_mastercard', last4: '4444', declines: false },
  { id: 'pm_card_visa_chargeDeclined', last4: '0002', declines: true },
  { id: 'pm_card_visa_chargeDeclinedInsufficientFunds', last4: '9995', declines: true },
];

export const currencies = ['try', 'eur', 'usd', 'jpy', 'kwd'];

/** Prices until the server has told them, so that the first picture does not jump. @type {Record<string, number>} */
export const firstPrices = { try: 42000, eur: 820, usd: 995, jpy: 1200, kwd: 3100 };

export const sku = 'filter-coffee';

/** @type {import('../types.js').Fault} */
export const storyFault = Object.freeze({ point: 'worker.charged', action: 'crash', times: 1, skip: 0 });

/** The acts of the Story. Each ends in one button: the next act. The last is the reader's own. */
export const acts = [
  { id: 1, strategy: 'naive', fault: storyFault, next: 'next.seenset' },
  { id: 2, strategy: 'seen-set', fault: storyFault, next: 'next.key' },
  { id: 3, strategy: 'seen-set-and-key', fault: storyFault, next: 'next.lab' },
  { id: 4, strategy: 'seen-set-and-key', fault: null, next: 'next.free' },
];

/** The steps of the worker before the server has told them. */
const firstSteps = ['received', 'charging', 'charged', 'applied', 'acked'].map((s) => `worker.${s}`);

/** A strategy nobody has described yet. @param {string} id @returns {Strategy} */
const unknown = (id) => ({
  id, title: { en: id, tr: id }, summary: { en: '', tr: '' }, after: { en: '', tr: '' }, source: '', lines: {}, steps: firstSteps, windows: [], survives: [], cells: [],
});

/** @param {Strategy[]} all @param {string} id @returns {Strategy} */
export const strategyOf = (all, id) => all.find((s) => s.id === id) ?? unknown(id);

/** @param {string} id */
export const cardOf = (id) => cards.find((c) => c.id === id) ?? cards[0];

/** @param {string} point */
export const roleOf = (point) => {
  const role = point.split('.')[0];
  return { mail: 'mailer', stripe: 'bank', broker: 'queue' }[role] ?? role;
};

/**
 * Whether a run of the strategy passes the point when nothing breaks.
 * @param {string[]} steps  of the strategy @param {string} point
 */
export const reaches = (steps, point) => !point.startsWith('worker.') || steps.includes(point);
