import { lab, ProblemError } from './api.js';

/** @typedef {import('../model/matrix.js').Job} Job */

const every = 400;

/** The matrix that the lab ran last, or runs now; null where there was none. @returns {Promise<Job|null>} */
export const latest = () => lab('GET', 'matrix');

/** @param {{strategy?: string[], fault?: string[]}} asked @returns {Promise<Job>} */
export const start = (asked) => lab('POST', 'matrix', asked);

/**
 * Tells of the job each time it is asked about, until it has ended. A lab that is silent for a while, or that says it
 * is not ready, is asked again; any other refusal is thrown.
 * @param {Job} job @param {(job: Job) => void} tell
 */
export async function follow(job, tell) {
  tell(job);
  for (let now = job; now.state === 'running';) {
    await new Promise((done) => { setTimeout(done, every); });
    try {
      now = await lab('GET', `matrix/${encodeURIComponent(job.id)}`);
      tell(now);
    } catch (error) {
      if (!(error instanceof ProblemError) || (error.status !== 0 && error.status < 500)) throw error;
    }
  }
}
