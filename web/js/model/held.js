/**
 * Processes that stand still at a step until somebody lets them go.
 *
 * @typedef {import('../types.js').Event} Event
 * @typedef {{instance: number, process: import('../types.js').Process, point: string, since: string, id: number}} Held
 * @param {Event[]} events @returns {Held[]}  the longest waiting first
 */
export function heldOf(events) {
  /** @type {Map<number, Held>} */
  const held = new Map();
  for (const event of events) {
    const { process, step, detail } = event;
    const { instance } = process;
    if (step === 'step.waiting') held.set(instance, { instance, process, point: detail.point ?? '', since: event.at, id: event.id });
    else if (step !== 'fault.fired') held.delete(instance);
    if (step === 'fault.fired' && detail.action === 'crash') held.delete(instance);
  }
  return [...held.values()];
}

/** The step that a row shows last, such as worker.charged. @param {import('../types.js').Row|undefined} row */
export function stepOf(row) {
  const steps = row?.events.filter((event) => /^(api|relay|worker|mail)\./.test(event.step) && event.step !== 'worker.settled') ?? [];
  const fired = row?.events.find((event) => event.step === 'fault.fired')?.detail.point;
  return steps.at(-1)?.step ?? (fired?.startsWith('worker.') ? fired : '');
}
