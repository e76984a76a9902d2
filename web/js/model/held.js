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
  /** A process that is started again waits no more where it died. @param {Event['process']} process */
  const forget = ({ role, number }) => {
    for (const [instance, { process }] of held) if (process.role === role && process.number === number) held.delete(instance);
  };
  for (const event of events) {
    const { process, step, detail } = event;
    const { instance } = process;
    if (step === 'step.waiting') held.set(instance, { instance, process, point: detail.point ?? '', since: event.at, id: event.id });
    else if (step === 'process.started') forget(process);
    else if (step !== 'fault.fired') held.delete(instance);
  }
  return [...held.values()];
}

/**
 * A process that waits at a step is killed when it goes on, so its cross is not drawn before.
 * @param {import('../types.js').Row[]} rows @param {Event[]} events @returns {import('../types.js').Row[]}
 */
export function withoutPendingCrash(rows, events) {
  const last = rows.at(-1);
  const waits = heldOf(events).some((held) => held.instance === last?.event.process.instance);
  return last?.kind === 'crash' && waits ? rows.slice(0, -1) : rows;
}

/** The step that a row shows last, such as worker.charged. @param {import('../types.js').Row|undefined} row */
export function stepOf(row) {
  const steps = row?.events.filter((event) => /^(api|relay|worker|mail)\./.test(event.step) && event.step !== 'worker.settled') ?? [];
  const fired = row?.events.find((event) => event.step === 'fault.fired')?.detail.point;
  return steps.at(-1)?.step ?? (fired?.startsWith('worker.') ? fired : '');
}
