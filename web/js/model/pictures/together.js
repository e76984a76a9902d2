import { isKill } from './past.js';

/**
 * Picture 7: order and message. The outbox writes both in one commit; a dual write writes one after the other and can
 * die between the two. Each side has its two crash points.
 *
 * @typedef {import('../../types.js').Event} Event
 * @typedef {import('../../types.js').Fault} Fault
 * @typedef {{name: string, fault: Fault|null}} CrashPoint  `fault`: what arms it; null where it cannot be run yet
 */

/** @param {string} point @returns {Fault} */
const crash = (point) => ({ point, action: 'crash', times: 1, skip: 0 });

/** @type {Record<'outbox'|'dual', CrashPoint[]>} */
export const crashPoints = {
  outbox: [{ name: 'committed', fault: crash('api.committed') }, { name: 'published', fault: crash('relay.published') }],
  dual: [{ name: 'between', fault: null }, { name: 'before', fault: null }],
};

/** What the run has shown of the way of the outbox. @param {Event[]} past */
export function togetherOf(past) {
  const has = (/** @type {string} */ step) => past.filter((event) => event.step === step).length;
  const killed = past.filter(isKill).map(({ detail }) => detail.point);
  return {
    committed: has('api.committed'), published: has('broker.publish'), marked: has('relay.marked'),
    killed: crashPoints.outbox.filter(({ fault }) => killed.includes(fault?.point)).map(({ name }) => name),
  };
}
