import { attr, h, list, setText } from '../lib/dom.js';
import { count } from '../lib/format.js';
import { examples, foundOf } from '../model/explore.js';

/**
 * Over the card: search, and the strategies with what was found of each. On a phone they are a select.
 *
 * @typedef {import('../lib/i18n.js').Words} Words
 * @param {HTMLElement} root @param {HTMLElement} names
 * @param {{search: () => void, choose: (strategy: string) => void}} on
 */
export function exploreTop(root, names, on) {
  const title = h('h2');
  const lead = h('p.lead-line');
  const search = h('button.second', { type: 'button', onclick: on.search });
  const said = h('p.far.num', { role: 'status' });
  const trouble = h('p.refusal', { role: 'alert' });
  const select = /** @type {HTMLSelectElement} */ (h('select', { onchange: () => on.choose(select.value) }));
  root.append(h('div.tools', {}, title, search, said), lead, trouble, select);

  /** @param {import('../types.js').Strategy[]} strategies @param {string} chosen @param {import('./explore.js').Own} own @param {boolean} idle @param {Words} words */
  return (strategies, chosen, own, idle, words) => {
    const { t, has, of } = words;
    setText(title, t('view.explore'));
    setText(lead, t('explore.lead'));
    setText(search, t(own.search ? 'explore.again' : 'explore.search'));
    attr(search, 'aria-disabled', idle ? null : 'true');
    setText(said, progress(own, words));
    const detail = has(own.trouble) ? t(own.trouble) : own.trouble;
    setText(trouble, detail ? t('explore.refused', { detail }) : own.search?.state === 'stopped' ? t('explore.stopped') : '');
    attr(select, 'aria-label', t('strategy'));
    attr(names, 'aria-label', t('strategy'));
    list(select, strategies, ({ id }) => id, ({ id }) => h('option', { value: id }), (option, { id, title: name }) => {
      const { mark, says } = state(own, id, words);
      setText(option, [`${mark} ${of(name)}`, own.search ? says : ''].filter(Boolean).join(' · '));
    });
    select.value = chosen;
    list(names, strategies, ({ id }) => id, ({ id }) => h('li', {}, h('button', { type: 'button', onclick: () => on.choose(id) },
      h('span.mark', { 'aria-hidden': 'true' }), h('strong'), h('span.says'))), (node, { id, title: name }) => {
      const button = node.children[0];
      const { mark, tone, says } = state(own, id, words);
      attr(button, 'data-tone', tone);
      attr(button, 'aria-current', id === chosen ? 'true' : null);
      [mark, of(name), says].forEach((text, i) => setText(button.children[i], text));
    });
  };
}

/** @param {import('./explore.js').Own} own @param {Words} words */
function progress({ search }, { t, lang }) {
  if (search?.state === 'running') return t('explore.progress', { done: search.done, total: search.total });
  if (search?.state !== 'finished') return '';
  const schedules = (search.strategies ?? []).reduce((sum, found) => sum + found.schedules, 0);
  return t('explore.finished', { n: count(lang, schedules) });
}

/** What was found of a strategy, in two words and a shape. @param {import('./explore.js').Own} own @param {string} id @param {Words} words */
function state({ search }, id, { t }) {
  const found = foundOf(search, id);
  if (!found) return { mark: '·', tone: 'idle', says: t('explore.says.unknown') };
  if (found.safe) return { mark: '✓', tone: 'ok', says: t('explore.says.safe') };
  return { mark: '✕', tone: 'bad', says: t('explore.says.broken', { n: examples(found).length }) };
}
