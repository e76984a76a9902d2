/**
 * A page that was saved into one file carries its run, its words and what it says of the strategy; it has no lab.
 *
 * @typedef {{document: import('./types.js').RunDocument, strategies: import('./types.js').Strategy[], words: {[file: string]: {[key: string]: string}}}} Packed
 */

/** @returns {Packed|null} */
export function packed() {
  const node = document.getElementById('packed');
  return node ? JSON.parse(node.textContent ?? '') : null;
}
