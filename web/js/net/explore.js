import { lab } from './api.js';

/** @typedef {import('../model/explore.js').Search} Search */

const every = 300;

/** The search that the lab made last, or makes now; null where there was none. @returns {Promise<Search|null>} */
export const latest = () => lab('GET', 'explore');

/** Every strategy, within the default bounds. @returns {Promise<Search>} */
export const start = () => lab('POST', 'explore', {});

/** Tells of the search each time it is asked about, until it has ended. @param {Search} search @param {(search: Search) => void} tell */
export async function follow(search, tell) {
  tell(search);
  for (let now = search; now.state === 'running';) {
    await new Promise((done) => { setTimeout(done, every); });
    now = await lab('GET', `explore/${encodeURIComponent(search.id)}`);
    tell(now);
  }
}
