import { guardsOf } from './guards.js';
import { isAnswer, isCall, isKill, turnOf } from './past.js';

/**
 * Picture 2: which tag the intention carries on its way from the click to the bank, for every delivery of the run.
 *
 * @typedef {import('../../types.js').Event} Event
 * @typedef {'same'|'other'|''} Joint  the tag above it, or beside it, has the same value; "" where there is none to compare
 * @typedef {object} Leg  one delivery
 * @property {number} n
 * @property {string} click     Idempotency-Key of the order; "" where the leg above already shows it
 * @property {string} message
 * @property {Joint} messageJoint  against the delivery before
 * @property {string} key       what went to the bank; "" while nothing went
 * @property {Joint} keyJoint   against the call before
 * @property {boolean} minted   the key is a new one, made in this delivery
 * @property {string} outcome   charged, replayed, declined, unknown, asked; "" while there is none
 * @property {boolean} killed
 *
 * @param {Event[]} past @param {import('../../types.js').Strategy} strategy @param {string} formKey  of the form, until an order has it
 */
export function journeyOf(past, strategy, formKey) {
  /** @type {Map<string, Leg>} */
  const legs = new Map();
  for (const event of past) {
    if (event.step === 'broker.deliver') legs.set(turnOf(event), legOf(event, past, legs.size + 1));
    const leg = legs.get(turnOf(event));
    if (leg) read(leg, event);
  }
  const all = [...legs.values()];
  join(all);
  const published = past.find(({ step }) => step === 'broker.publish');
  return {
    click: clickOf(past, '') || formKey, message: published?.detail.key || published?.message_id || '',
    legs: all, source: guardsOf(strategy).key,
  };
}

/** @param {Event} event @param {Event[]} past @param {number} n @returns {Leg} */
function legOf(event, past, n) {
  const message = event.detail.key || event.message_id || '';
  return { n, click: clickOf(past, message), message, messageJoint: '', key: '', keyJoint: '', minted: false, outcome: '', killed: false };
}

/** The key of the order the message was made for. @param {Event[]} past @param {string} message */
const clickOf = (past, message) => past.find((event) => event.step === 'http.request' && event.detail.to === 'api'
  && (message === '' || event.message_id === message))?.detail.key ?? '';

/** @param {Leg} leg @param {Event} event */
function read(leg, event) {
  if (isCall(event)) leg.key = event.detail.key ?? '';
  if (isAnswer(event)) leg.outcome = event.detail.outcome ?? '';
  if (event.step === 'stripe.find' && event.detail.outcome) leg.outcome = 'asked';
  if (isKill(event)) leg.killed = true;
}

/** @param {Leg[]} legs */
function join(legs) {
  let key = '';
  legs.forEach((leg, i) => {
    const before = legs[i - 1];
    if (before) leg.messageJoint = before.message === leg.message ? 'same' : 'other';
    if (before?.message === leg.message) leg.click = '';
    if (!leg.key) return;
    if (key) leg.keyJoint = key === leg.key ? 'same' : 'other';
    leg.minted = leg.key !== leg.message && leg.key !== key;
    key = leg.key;
  });
}
