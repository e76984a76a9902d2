/**
 * What can be chosen, in the order in which it is shown. To add a strategy, add its line here and its words
 * `strategy.<id>` and `strategy.<id>.idea` to both catalogues of i18n.
 *
 * @typedef {{id: string, path: string[]}} Strategy  `path` is its own sequence of worker steps when nothing breaks.
 */

/** @type {Strategy[]} */
export const strategies = [
  { id: 'naive', path: ['charging', 'charged', 'applied', 'acked'] },
  { id: 'seen-set', path: ['checked', 'charging', 'charged', 'applied', 'recorded', 'acked'] },
  { id: 'seen-set-and-key', path: ['checked', 'charging', 'charged', 'recorded', 'acked'] },
];

/** Every step a fault can strike, in the order of a payment's life. */
export const points = [
  'api.received', 'api.written', 'api.committed',
  'relay.claimed', 'relay.published', 'relay.marked',
  'worker.received', 'worker.checked', 'worker.charging', 'worker.charged',
  'worker.applied', 'worker.recorded', 'worker.acked',
  'mail.claimed', 'mail.sent', 'mail.marked',
];

export const actions = ['crash', 'error', 'hang'];
export const times = [1, 2];

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

/** The acts of the Story. Each ends in one button: the next act. */
export const acts = [
  { id: 1, strategy: 'naive', next: 'next.seenset' },
  { id: 2, strategy: 'seen-set', next: 'next.key' },
  { id: 3, strategy: 'seen-set-and-key', next: 'next.lab' },
];

export const storyFault = Object.freeze({ point: 'worker.charged', action: 'crash', times: 1 });

/** @param {string} id */
export const strategyOf = (id) => strategies.find((s) => s.id === id) ?? strategies[0];

/** @param {string} id */
export const cardOf = (id) => cards.find((c) => c.id === id) ?? cards[0];

/** @param {string} point */
export const roleOf = (point) => {
  const role = point.split('.')[0];
  return role === 'mail' ? 'mailer' : role;
};

/**
 * Whether a run of the strategy passes the point when nothing breaks.
 * @param {string} strategy @param {string} point
 */
export function reaches(strategy, point) {
  const [role, step] = point.split('.');
  return role !== 'worker' || step === 'received' || strategyOf(strategy).path.includes(step);
}
