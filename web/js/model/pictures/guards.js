/**
 * What stands between a second delivery and a second charge, by strategy: what it remembers here, and which key it
 * sends to the bank. The server tells steps and windows; these three words are what the pictures add to them.
 *
 * @typedef {'none'|'postgres'|'redis'} Memory
 * @typedef {'call'|'message'|'payload'|'receipt'|'clock'|'trace'} KeySource  what the bank's key is made from; "call": by the
 *   library, anew for every call
 * @typedef {{memory: Memory, key: KeySource, asks: 'never'|'old'|'always'}} Guards  `asks`: looks the charge up at the bank
 */

/** @param {Memory} memory @param {KeySource} key @param {Guards['asks']} [asks] @returns {Guards} */
const guards = (memory, key, asks = 'never') => ({ memory, key, asks });

/** @type {Record<string, Guards>} */
const known = {
  naive: guards('none', 'call'),
  'ack-first': guards('none', 'call'),
  'mark-first': guards('postgres', 'call'),
  'check-then-act': guards('postgres', 'call'),
  'seen-set': guards('postgres', 'call'),
  'claim-lease': guards('postgres', 'call'),
  transactional: guards('postgres', 'call'),
  'redelivered-only': guards('postgres', 'call'),
  'redis-seen-set': guards('redis', 'call'),
  'key-only': guards('none', 'message'),
  'seen-set-and-key': guards('postgres', 'message', 'old'),
  hybrid: guards('postgres', 'message', 'old'),
  'lookup-first': guards('postgres', 'call', 'always'),
  'payload-key': guards('postgres', 'payload', 'old'),
  'receiver-key': guards('postgres', 'receipt', 'old'),
  'timestamp-key': guards('postgres', 'clock', 'old'),
  'trace-key': guards('postgres', 'trace', 'old'),
};

/** A learner's own strategy is judged by its steps alone. @param {import('../../types.js').Strategy} strategy @returns {Guards} */
export function guardsOf({ id, steps }) {
  return known[id] ?? guards(steps.includes('worker.recorded') ? 'postgres' : 'none', 'call');
}

/** The second call of one message carries the key of the first. @param {Guards} guards */
export const keepsKey = ({ key }) => key === 'message' || key === 'payload' || key === 'trace';
