import { find, h, setText } from '../lib/dom.js';
import { money } from '../lib/format.js';

/**
 * The one announcer: at most one sentence in three seconds, and of each kind only the newest.
 */
class Announcer {
  /** @type {Map<string, string>} */ #queue = new Map();
  #timer = 0;

  /** @param {HTMLElement} node */
  constructor(node) { this.node = node; }

  /** @param {string} kind @param {string} text */
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
    this.node.textContent = first[1];
    this.#timer = window.setTimeout(() => this.#next(), 3000);
  }
}

/** Announcements, and the banner when the lab does not answer. @param {HTMLElement} status @param {HTMLElement} banner @param {import('../app.js').App} app */
export function mountStatus(status, banner, app) {
  const announcer = new Announcer(status);
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

    const running = state.run !== null;
    if (running && !told.running) announcer.say('run', t('say.running'));
    const last = scene.shown.at(-1);
    if (running && scene.shown.length > told.at && state.head.playing) {
      if (last?.kind === 'crash') announcer.say('crash', t(last.params.point === 'worker.charged' ? 'say.killed' : 'say.killed.other', { point: last.params.point }));
      if (last?.kind === 'redeliver') announcer.say('again', t('say.again'));
    }
    if (scene.settled && !told.settled) announcer.say('verdict', verdictSentence(state, scene));
    told = { at: scene.shown.length, running, settled: scene.settled };
  });
}

/** @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function verdictSentence({ words: { t, lang } }, scene) {
  const { headline } = scene;
  if (!headline) return '';
  const { n, tooMuch } = headline.money;
  const values = { n, amount: money(lang, tooMuch, scene.setup.currency) };
  const effect = headline.title.params?.effect;
  const params = { ...values, ...headline.title.params, effect: typeof effect === 'string' ? t(effect) : '' };
  const sub = headline.sub ? t(headline.sub.key, { ...values, ...headline.sub.params }) : '';
  return [t(headline.title.key, params), sub].filter(Boolean).join('. ');
}
