import { attr, find, h, setText } from '../lib/dom.js';
import { count } from '../lib/format.js';
import { verdictWords } from './tell.js';

/** The bank's word in large letters, why, and the four effects. @param {HTMLElement} root @param {HTMLElement} tilesRoot @param {import('../app.js').App} app */
export function mountVerdict(root, tilesRoot, app) {
  const title = h('h2.over');
  const icon = h('span.icon-word', { 'aria-hidden': 'true' });
  const words = h('span');
  const show = h('button.show', { type: 'button', onclick: () => app.showWhy() }, words);
  const headline = h('p.headline', {}, show);
  const sub = h('p.sub.num');
  const why = h('p.why');
  const more = h('button.plain.more', { type: 'button', hidden: true, onclick: () => void app.runner.settle() });
  root.append(h('div.top', {}, title, icon), headline, sub, why, more);
  const tiles = ['charge', 'status', 'points', 'receipt'].map((name) => h('div.tile', { 'data-name': name },
    h('dt'), h('dd', {}, h('strong.num'), h('span.expected.num'), h('span.mark', { 'aria-hidden': 'true' }), h('span.vh.word'))));
  const below = h('p.why-below');
  tilesRoot.append(h('dl.tiles', {}, ...tiles), below);

  app.store.add((state, scene) => {
    const { t, lang } = state.words;
    const shown = view(state, scene);
    root.dataset.tone = shown.tone;
    setText(title, t('verdict.title'));
    setText(icon, shown.icon);
    icon.hidden = shown.icon === '';
    setText(words, shown.title);
    fit(headline, shown.tone === 'idle');
    setText(sub, shown.sub);
    setText(why, shown.why);
    setText(below, scene.settled ? shown.why : '');
    attr(show, 'title', scene.settled ? t('verdict.show') : null);
    attr(show, 'disabled', !scene.settled);
    more.hidden = !scene.stopped;
    setText(more, t('wait.longer'));
    const names = t('effects').split(' · ');
    scene.tiles.forEach((tile, i) => fillTile(tiles[i], tile, names[i], t, lang));
  });
}

const sizes = ['size-40', 'size-36', 'size-32'];

/** The largest letters in which the headline stands on one line. @param {HTMLElement} headline @param {boolean} quiet */
function fit(headline, quiet) {
  const asked = `${headline.textContent}/${quiet}/${headline.clientWidth}`;
  if (headline.dataset.fitted === asked) return;
  headline.dataset.fitted = asked;
  headline.classList.remove(...sizes);
  if (quiet) return;
  for (const size of sizes) {
    headline.classList.add(size);
    if (headline.scrollWidth <= headline.clientWidth) return;
    headline.classList.remove(size);
  }
}

/** @param {import('../store.js').State} state @param {import('../store.js').Scene} scene */
function view({ words, run, lab }, scene) {
  const { t } = words;
  if (!run) {
    return { tone: 'idle', icon: '', title: t('verdict.ready'), sub: '', why: t(lab?.stripe?.mode === 'test' ? 'real.test' : 'real') };
  }
  if (scene.stopped) {
    const left = run.queues.filter((q) => q.ready + q.unacked > 0);
    const where = left.map((q) => t('wait.queue', { n: q.ready + q.unacked, queue: q.name })).join(', ');
    return { tone: 'warn', icon: '…', title: t('verdict.pending'), sub: run.trouble ? t('wait.error', { detail: run.trouble }) : where || t('wait.unknown'), why: '' };
  }
  const { headline } = scene;
  if (!headline) return { tone: 'idle', icon: '…', title: t('verdict.pending'), sub: t('verdict.pending.sub'), why: '' };
  return { tone: headline.tone, icon: headline.icon, ...verdictWords(words, scene) };
}

/** @param {HTMLElement} node @param {import('../model/verdict.js').Tile} tile @param {string} name @param {(key: string, params?: any) => string} t @param {string} lang */
function fillTile(node, tile, name, t, lang) {
  /** @param {number|string|null} value */
  const text = (value) => (typeof value === 'number' ? count(lang, value) : value === null ? '…' : t(`status.${value}`));
  node.dataset.tone = tile.tone;
  setText(find('dt', node), name);
  setText(find('strong', node), text(tile.got));
  setText(find('.expected', node), tile.expected === null ? '' : t('expected', { value: text(tile.expected) }));
  setText(find('.mark', node), tile.icon);
  setText(find('.word', node), tile.got === null ? '' : t(tile.tone === 'ok' ? 'tile.right' : 'tile.wrong'));
  attr(node, 'data-settled', tile.got !== null);
}
