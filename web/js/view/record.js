import { attr, h, list, setText } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { dateTime } from '../lib/format.js';
import { formatRoute } from '../model/route.js';
import { faultPhrase } from './tell.js';

/** What is known of a run that is shown and not made: when, which bank, what broke. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountRecord(root, app) {
  const title = h('h2.over');
  const strategy = h('p.title');
  const broke = h('ul');
  const facts = h('p.facts-line');
  const play = h('button.primary', { type: 'button', onclick: () => app.player.replay() }, icon('play'), h('span'));
  const again = h('a.second');
  const refusal = h('p.refusal');
  root.append(h('div.card.record', {}, title, strategy, broke, facts, play, again), refusal);

  app.store.add(({ words, route, run, refusal: refused }, scene) => {
    const { t, of, lang } = words;
    root.hidden = route.view !== 'run';
    if (root.hidden) return;
    const record = run?.record;
    setText(refusal, refused?.place === 'run' ? t('run.missing', { id: route.id }) : '');
    /** @type {HTMLElement} */ (root.firstElementChild).hidden = !record;
    if (!run || !record) return;
    setText(title, t(`run.source.${record.source}`));
    setText(strategy, of(scene.strategy.title));
    const faults = record.faults.map((fault) => faultPhrase(words, fault));
    list(broke, faults.length > 0 || record.source === 'explore' ? faults : [t('fault.none')], (_, i) => String(i), () => h('li'), (node, text) => setText(node, text));
    setText(facts, [dateTime(lang, record.at), record.source === 'explore' ? '' : t('bank.emulator'),
      record.commit ? `commit ${record.commit.slice(0, 12)}` : ''].filter(Boolean).join(' · '));
    setText(play.children[1], t('run.play'));
    setText(again, t('run.again'));
    again.hidden = record.faults.length > 1;
    attr(again, 'href', formatRoute({ view: 'lab', strategy: run.setup.strategy, fault: run.setup.fault }));
  });
}
