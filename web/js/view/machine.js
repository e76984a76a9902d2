import { find, h, list, setText } from '../lib/dom.js';
import { saveMenu } from './save.js';
import { tabs } from './tabs.js';

/** The middle column: what the strategy does, the two tabs, and the boot list while the lab is starting. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountMachine(root, app) {
  const idea = h('figcaption.idea');
  find('#machine-head', root).append(idea, ...saveMenu(app), tabs(app, app.offline ? ['diagram', 'table'] : ['diagram', 'picture', 'table'], (name) => `tab.${name}`, 'tab'));
  const boot = find('#boot');
  boot.append(h('h2'), h('p'), h('ol'));

  const picture = find('#picture', root);
  let pictures = false;

  app.store.add((state, scene) => {
    picture.hidden = state.tab !== 'picture';
    if (!picture.hidden && !pictures) {
      pictures = true;
      void hang(picture, app);
    }
    const { of, t } = state.words;
    setText(idea, state.run?.record?.source === 'boot' ? t('boot.recording') : of(scene.strategy.summary));
    fillBoot(boot, state);
  });
}

/** The pictures come with the first look at them. @param {HTMLElement} root @param {import('../app.js').App} app */
async function hang(root, app) {
  const [{ mountPictures }] = await Promise.all([import('./pictures.js'), app.addWords('pictures')]);
  mountPictures(root, app);
}

const order = ['database', 'broker', 'relay', 'worker', 'bank'];

/** @param {HTMLElement} boot @param {import('../store.js').State} state */
function fillBoot(boot, { words: { t, lang }, health }) {
  boot.hidden = health.phase !== 'booting';
  if (boot.hidden) return;
  setText(find('h2', boot), t('boot.title'));
  setText(find('p', boot), t('boot.text'));
  const known = new Map(health.parts.map((part) => [part.name, part]));
  const names = [...order, ...[...known.keys()].filter((name) => !order.includes(name) && !known.get(name)?.ready)];
  list(find('ol', boot), names, (name) => name, () => h('li', {}, h('span.dot', { 'aria-hidden': 'true' }), h('strong'), h('span.state'), h('span.num')), (node, name) => {
    const part = known.get(name);
    /** @type {HTMLElement} */ (node).dataset.ready = String(part?.ready ?? false);
    setText(find('strong', node), t(`part.${name}`));
    setText(find('.state', node), part?.ready ? t('boot.ready') : part?.waiting_for ? t('boot.waiting', { what: part.waiting_for }) : t('boot.starting'));
    setText(find('.num', node), part ? `${new Intl.NumberFormat(lang).format(part.seconds)} ${t('unit.s')}` : '');
  });
}
