/** @typedef {import('../lib/i18n.js').Words} Words */
/** @typedef {(words: Words) => string} Sentence */

/** What a person asked to hear of a run: what happens, its key moments, or its end. @typedef {'all'|'moments'|'verdict'} Wish */

/** @type {Wish[]} */
export const wishes = ['all', 'moments', 'verdict'];

const place = 'doublecharge.announce';

/** @returns {Wish} */
export const wish = () => wishes.find((w) => w === localStorage.getItem(place)) ?? 'moments';

/** @param {string} said */
export const keepWish = (said) => localStorage.setItem(place, said);

/**
 * The one announcer: at most one sentence in three seconds, and of each kind only the newest. What stands there
 * follows the language.
 */
export class Announcer {
  /** @type {Map<string, Sentence>} */ #queue = new Map();
  /** @type {Sentence|null} */ #said = null;
  #timer = 0;
  #lang = '';

  /** @param {HTMLElement} node @param {() => Words} words */
  constructor(node, words) { this.node = node; this.words = words; }

  /** @param {Words} words */
  speak(words) {
    if (words.lang === this.#lang) return;
    this.#lang = words.lang;
    if (this.#said) this.node.textContent = this.#said(words);
  }

  /** Of a run that has left the table nothing stays. */
  clear() {
    this.#queue.clear();
    this.#said = null;
    this.node.textContent = '';
  }

  /** @param {string} kind @param {Sentence} text */
  say(kind, text) {
    this.#queue.delete(kind);
    this.#queue.set(kind, text);
    if (!this.#timer) this.#next();
  }

  #next() {
    const first = this.#queue.entries().next().value;
    this.#timer = 0;
    if (!first) return;
    this.#queue.delete(first[0]);
    this.#said = first[1];
    this.node.textContent = first[1](this.words());
    this.#timer = window.setTimeout(() => this.#next(), 3000);
  }
}
