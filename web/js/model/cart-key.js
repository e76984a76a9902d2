/**
 * The life of an Idempotency-Key in the shop's form: made when the form opens, kept over reload, time-outs and 5xx;
 * a new one only after a definite end or when the cart changes.
 *
 * @typedef {{getItem(name: string): string|null, setItem(name: string, value: string): void, removeItem(name: string): void}} Keep
 */

const place = 'doublecharge.key';

/** @param {import('../types.js').Setup} setup */
export const cartOf = ({ sku, currency, card }) => `${sku}/${currency}/${card}`;

/** @param {Keep} keep @param {string} cart @param {() => string} mint */
export function keyFor(keep, cart, mint) {
  const [savedCart, key] = (keep.getItem(place) ?? '').split(' ');
  if (key && savedCart === cart) return key;
  const fresh = mint();
  keep.setItem(place, `${cart} ${fresh}`);
  return fresh;
}

/** The order has an end that will not change: the next form is another purchase. @param {Keep} keep */
export const spend = (keep) => keep.removeItem(place);

/**
 * Whether an answer settles the fate of the request. 409 is still running, 5xx and silence say nothing.
 * @param {number} status  0 for no answer
 */
export const definite = (status) => status >= 200 && status < 500 && ![408, 409, 425, 429].includes(status);

const open = 'doublecharge.unfinished';

/** A shop that forgets its key on reload leaves the earlier purchase to itself; the lab remembers, to show both. @param {Keep} keep @param {string[]} keys  none when it has ended */
export function leaveOpen(keep, keys) {
  if (keys.length > 0) keep.setItem(open, keys.join(' '));
  else keep.removeItem(open);
}

/** Keys of purchases that a reload cut off. @param {Keep} keep @returns {string[]} */
export const leftOpen = (keep) => (keep.getItem(open) ?? '').split(' ').filter(Boolean);

/** Keeps nothing over a reload. @returns {Keep} */
export function forgetful() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}
