import { reaches } from './catalogue.js';
import { sender } from './lanes.js';

/**
 * The path when nothing breaks, drawn dashed before it happens. It never shows what a fault will do.
 *
 * @typedef {import('../types.js').Ghost} Ghost
 */

/** What a step of the worker looks like. @type {Record<string, Ghost>} */
const workerSteps = {
  'worker.received': { kind: 'deliver', from: 'queue', to: 'worker', points: ['worker.received'] },
  'worker.checked': { kind: 'look', from: 'worker', to: 'ledger', points: ['worker.checked'] },
  'worker.charging': { kind: 'charge', from: 'worker', to: 'bank', points: ['worker.charging'] },
  'worker.charged': { kind: 'charged', from: 'bank', to: 'worker', points: ['worker.charged'] },
  'worker.applied': { kind: 'effects', from: 'worker', to: 'ledger', points: ['worker.applied'] },
  'worker.recorded': { kind: 'mark', from: 'worker', to: 'ledger', points: ['worker.recorded'] },
  'worker.acked': { kind: 'ack', from: 'worker', to: 'queue', points: ['worker.acked'] },
};

/** @param {string[]} steps  of the strategy @param {Set<string>} open @returns {Ghost[]} */
export function happyPath(steps, open) {
  const together = steps.includes('worker.recorded') && !steps.includes('worker.applied');
  const worker = steps.map((step) => (step === 'worker.recorded' && together
    ? { ...workerSteps[step], kind: 'effects' }
    : workerSteps[step])).filter(Boolean);
  const mailer = open.has('mailer');
  return [
    ...sending(open),
    ...worker,
    ...(mailer ? [{ kind: 'mailclaim', from: 'ledger', to: 'mailer', points: ['mail.claimed'] }] : []),
    { kind: 'mail', from: mailer ? 'mailer' : 'ledger', to: 'shop', points: ['mail.sent', 'mail.marked'] },
  ];
}

/** @param {Set<string>} open @returns {Ghost[]} */
function sending(open) {
  if (!open.has('api') && !open.has('relay')) return [{ kind: 'sent', from: 'shop', to: 'queue', points: [] }];
  return [
    ...(open.has('api') ? [
      { kind: 'request', from: 'shop', to: 'api', points: ['api.received', 'api.written'] },
      { kind: 'stored', from: 'api', to: 'api', points: ['api.committed'] },
    ] : [{ kind: 'stored', from: 'shop', to: 'relay', points: [] }]),
    { kind: 'publish', from: sender(open), to: 'queue', points: ['relay.claimed', 'relay.published'] },
    ...(open.has('relay') ? [{ kind: 'sentmark', from: 'relay', to: 'relay', points: ['relay.marked'] }] : []),
  ];
}

const trouble = new Set(['crash', 'error', 'hang', 'redeliver', 'start', 'retry', 'dead', 'declined', 'unknown', 'hold', 'cut']);

/**
 * What is still to come. After the first trouble nothing is promised any more.
 * @param {import('../types.js').Row[]} shown @param {string[]} steps @param {Set<string>} open @returns {Ghost[]}
 */
export function ghostsAfter(shown, steps, open) {
  if (shown.some((row) => trouble.has(row.kind))) return [];
  const path = happyPath(steps, open);
  let next = 0;
  for (const row of shown) {
    const found = path.findIndex((ghost, i) => i >= next && ghost.kind === row.kind);
    if (found >= 0) next = found + 1;
  }
  return path.slice(next);
}

/** The row that carries the mark of the armed fault. @param {Ghost[]} ghosts @param {string} point @param {string[]} steps */
export function markedGhost(ghosts, point, steps) {
  return reaches(steps, point) ? ghosts.findIndex((ghost) => ghost.points.includes(point)) : -1;
}
