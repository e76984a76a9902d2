import { eventsShown } from '../playhead.js';

/**
 * What the pictures may know of a run: the events that the playhead has passed, and whether it has come to the end.
 * Before the end no picture tells how the strategy fares.
 *
 * @typedef {import('../../types.js').Event} Event
 * @param {import('../../types.js').Run|null} run @param {import('../scene.js').Scene} scene @returns {Event[]}
 */
export function pastOf(run, { rows, shown }) {
  return run ? run.events.slice(0, eventsShown(rows, shown.length, run.events.length)) : [];
}

/** A call that leaves the worker for the bank. @param {Event} event */
export const isCall = ({ step, detail }) => step === 'stripe.charge' && !detail.outcome;

/** What the worker heard of its call. @param {Event} event */
export const isAnswer = ({ step, detail }) => step === 'stripe.charge' && Boolean(detail.outcome);

/** The process was killed here. @param {Event} event */
export const isKill = ({ step, detail }) => step === 'fault.fired' && detail.action === 'crash';

/** One turn of one worker: a delivery in the hands of one process. @param {Event} event */
export const turnOf = ({ process, delivery, message_id: id }) => `${process.instance}/${delivery ?? 0}/${id ?? ''}`;
