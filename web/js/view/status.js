import { find, h, setText } from '../lib/dom.js';
import { verdictWords } from './tell.js';

/** @typedef {import('../lib/i18n.js').Words} Words */
/** @typedef {(words: Words) => string} Sentence */

/**
 * The one announcer: at most one sentence in three seconds, and of each kind only the newest. What stands there
 * follows the language.
 */
class Announcer {
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

/** Announcements, and the banner when the lab does not answer. @param {HTMLElement} status @param {HTMLElement} banner @param {import('../app.js').App} app */
export function mountStatus(status, banner, app) {
  const announcer = new Announcer(status, () => app.state.words);
  banner.append(h('p'), h('code', { lang: 'en', translate: 'no' }, 'docker compose up'));
  const skip = find('#skip');
  skip.addEventListener('click', () => find('#verdict').focus());
  let told = { at: 0, running: false, settled: false };
  setInterval(() => { if (app.state.health.phase === 'gone') app.store.set({}); }, 1000);

  app.store.add((state, scene) => {
    const { t } = state.words;
    const gone = state.health.phase === 'gone';
    banner.hidden = !gone;
    const seconds = Math.max(0, Math.ceil((state.health.retryAt - Date.now()) / 1000));
    setText(find('p', banner), `${t('gone', { s: seconds })} ${t('gone.type')}`);
    skip.hidden = !scene.settled;
    setText(skip, t('skip.result'));

    announcer.speak(state.words);
    const running = state.run !== null;
    if (!running && told.running) announcer.clear();
    if (running && !told.running) announcer.say('run', (words) => words.t('say.running'));
    const last = scene.shown.at(-1);
    if (running && scene.shown.length > told.at && state.head.playing) {
      if (last?.kind === 'crash') announcer.say('crash', (words) => words.t(last.params.point === 'worker.charged' ? 'say.killed' : 'say.killed.other', { point: last.params.point }));
      if (last?.kind === 'redeliver') announcer.say('again', (words) => words.t('say.again'));
    }
    if (scene.settled && !told.settled) announcer.say('verdict', (words) => verdictSentence(words, scene));
    told = { at: scene.shown.length, running, settled: scene.settled };
  });
}

/** @param {Words} words @param {import('../store.js').Scene} scene */
function verdictSentence(words, scene) {
  const { title, sub } = verdictWords(words, scene);
  return !sub ? title : /[.!?…]$/.test(title) ? `${title} ${sub}` : `${title}. ${sub}`;
}
