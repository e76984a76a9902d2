import { documentOf } from '../model/document.js';
import { lab, ProblemError } from './api.js';

/** @typedef {import('../types.js').RunDocument} RunDocument */

const every = 300;

/**
 * Runs an experiment in a lane of its own, and waits until it has ended. A lab that is silent for a while is asked
 * again; a refusal is thrown.
 * @param {Record<string, unknown>} order @param {() => boolean} wanted  false once nobody waits for it @returns {Promise<RunDocument|null>}
 */
export async function experiment(order, wanted) {
  const { id } = await lab('POST', 'runs', order);
  while (wanted()) {
    await new Promise((done) => { setTimeout(done, every); });
    const told = await ask(id);
    if (told && told.state !== 'running') return told;
  }
  return null;
}

/** @param {string} id */
async function ask(id) {
  try {
    return documentOf(await lab('GET', `runs/${encodeURIComponent(id)}`));
  } catch (error) {
    if (!(error instanceof ProblemError) || (error.status !== 0 && error.status < 500)) throw error;
    return null;
  }
}
