import { find, h, setText } from '../lib/dom.js';
import { Announcer, wish } from './announcer.js';
import { say, verdictWords } from './tell.js';

/** @typedef {import('../lib/i18n.js').Words} Words */

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
    const wanted = wish();
    if (running && !told.running && wanted !== 'verdict') announcer.say('run', (words) => words.t('say.running'));
    const last = scene.shown.at(-1);
    if (last && running && wanted !== 'verdict' && scene.shown.length > told.at && state.head.playing) {
      if (last.kind === 'crash') announcer.say('crash', (words) => words.t(last.params.point === 'worker.charged' ? 'say.killed' : 'say.killed.other', { point: last.params.point }));
      else if (last.kind === 'redeliver') announcer.say('again', (words) => words.t('say.again'));
      else if (wanted === 'all') announcer.say('row', (words) => say(words, last, scene));
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
