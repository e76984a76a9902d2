import { roleOf } from './catalogue.js';

/**
 * Lanes of the diagram. Five by default; api, relay and mailer are folded into "order sent" and "receipt" and
 * unfold when a fault touches them; a second worker appears when it is used.
 *
 * @typedef {import('../types.js').Event} Event
 * @typedef {{id: string, name: string, number: number}} Lane
 */

const foldable = ['api', 'relay', 'mailer'];

/**
 * Which folded roles must be shown.
 * @param {Event[]} events @param {import('../types.js').Fault|null} fault
 * @returns {Set<string>}
 */
export function unfolded(events, fault) {
  const roles = new Set();
  if (fault) roles.add(roleOf(fault.point));
  for (const event of events) {
    if (event.step === 'fault.fired') roles.add(event.process.role);
  }
  return new Set(foldable.filter((role) => roles.has(role)));
}

/** @param {Set<string>} open @param {Event[]} events @returns {Lane[]} */
export function lanes(open, events) {
  /** @type {Set<number>} */
  const workers = new Set();
  for (const event of events) {
    if (event.process.role === 'worker' && event.step.startsWith('worker.')) workers.add(event.process.number || 1);
  }
  return [
    lane('shop'),
    ...(open.has('api') ? [lane('api')] : []),
    ...(open.has('relay') ? [lane('relay')] : []),
    lane('queue'),
    ...[...(workers.size > 0 ? workers : [1])].sort((a, b) => a - b).map((n) => lane(workerLane(n), 'worker', n)),
    lane('bank'),
    lane('ledger'),
    ...(open.has('mailer') ? [lane('mailer')] : []),
  ];
}

/** @param {string} id @param {string} [name] @param {number} [number] @returns {Lane} */
const lane = (id, name = id, number = 1) => ({ id, name, number });

/** @param {number} number */
const workerLane = (number) => (number > 1 ? `worker${number}` : 'worker');

/** The lane where a process stands, folded or not. @param {import('../types.js').Process} process @param {Set<string>} open */
export function laneOf(process, open) {
  const folded = /** @type {Record<string, string>} */ ({ api: 'shop', relay: 'queue', mailer: 'ledger', stripe: 'bank' });
  if (process.role === 'worker') return workerLane(process.number);
  return open.has(process.role) ? process.role : folded[process.role] ?? 'shop';
}

/** Who hands an order to the queue, with what is folded away left out. @param {Set<string>} open */
export function sender(open) {
  if (open.has('relay')) return 'relay';
  return open.has('api') ? 'api' : 'shop';
}
