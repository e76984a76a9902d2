/**
 * Which events of the lab belong to one run, and what the run is.
 *
 * @typedef {import('../types.js').Event} Event
 * @typedef {import('../types.js').Run} Run
 */

/** @param {import('../types.js').Setup} setup @param {string} key @param {number} amount @returns {Run} */
export function newRun(setup, key, amount) {
  return {
    phase: 'sending', setup, key, keys: [key], amount, orderId: '', events: [], verdict: null, statement: null, queues: [], presses: 1,
    reopened: false, trouble: '',
  };
}

const processEvents = new Set(['process.started', 'fault.fired', 'step.waiting', 'step.released', 'clock.advanced']);

/**
 * The run's own events, in order. A request belongs to it when it carries one of the run's keys; so do the events of every
 * order that such a request began (one that was killed before its commit leaves the id of an order that never was),
 * and those that tell of a process while the run is going on.
 * @param {Event[]} all  everything heard @param {string} orderId @param {string[]} keys
 * @param {number} endId  the last event that can belong to it @returns {Event[]}
 */
export function eventsOf(all, orderId, keys, endId = Infinity) {
  const orders = new Set([orderId].filter(Boolean));
  let begun = false;
  /** @param {Event} event */
  const mine = (event) => {
    if (event.id > endId) return false;
    if (event.step === 'http.request' && event.detail.key) {
      const own = keys.includes(event.detail.key);
      if (own && event.order_id) orders.add(event.order_id);
      return own;
    }
    if (event.order_id) return orders.has(event.order_id);
    return begun && processEvents.has(event.step);
  };
  return all.filter((event) => {
    const yes = mine(event);
    begun ||= yes;
    return yes;
  });
}

/** The order's id, as soon as an answer to the key tells it. @param {Event[]} all @param {string} key */
export function orderIdIn(all, key) {
  return all.find((event) => event.step === 'http.request' && event.detail.from === 'api'
    && event.detail.key === key && event.order_id)?.order_id ?? '';
}

/** The orders that were taken, in the order of their answers. @param {Event[]} events  of the run @returns {string[]} */
export function ordersIn(events) {
  const taken = events.filter((event) => event.step === 'http.request' && event.detail.from === 'api' && (event.detail.status ?? 500) < 300);
  return [...new Set(taken.map((event) => event.order_id ?? ''))].filter(Boolean);
}

/** How many events are kept: more than any run has, few enough for an old tablet. */
const limit = 5000;

/** Adds events, keeps the order of ids, drops what was heard before. @param {Event[]} have @param {Event[]} more @returns {Event[]} */
export function merge(have, more) {
  const last = have.at(-1)?.id ?? 0;
  if (more.every((event, i) => event.id > (i === 0 ? last : more[i - 1].id))) return [...have, ...more].slice(-limit);
  const byId = new Map([...have, ...more].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => a.id - b.id).slice(-limit);
}
