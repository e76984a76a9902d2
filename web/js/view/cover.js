import { attr, find, h, list, setText } from '../lib/dom.js';
import { help } from '../model/keys.js';
import { keepWish, wish, wishes } from './announcer.js';

/**
 * What covers the page: nothing but its ground, or the help with the keys.
 *
 * @typedef {ReturnType<typeof mountCover>} Cover
 * @param {import('../app.js').App} app
 */
export function mountCover(app) {
  const blank = /** @type {HTMLDialogElement} */ (h('dialog.blank'));
  const sheet = /** @type {HTMLDialogElement} */ (h('dialog.help', {}, h('h2'), h('ul'),
    h('label.keys-on', {}, h('input', { type: 'checkbox', onchange: () => keep() }), h('span')), h('p'), announcements(), h('p.mode', { hidden: true }),
    h('button.primary', { type: 'button', autofocus: true, onclick: () => cover.close() })));
  const box = /** @type {HTMLInputElement} */ (find('input', sheet));
  box.checked = localStorage.getItem('doublecharge.keys') === 'on';
  const keep = () => localStorage.setItem('doublecharge.keys', box.checked ? 'on' : 'off');
  blank.addEventListener('click', () => blank.close());
  document.body.append(blank, sheet);

  const cover = {
    /** The keys are on outside presenter mode too. */
    get keys() { return box.checked; },
    /** @returns {'blank'|'help'|''} */
    get open() { return blank.open ? 'blank' : sheet.open ? 'help' : ''; },
    /** @param {'blank'|'help'} which */
    toggle(which) {
      const node = which === 'blank' ? blank : sheet;
      const shut = !node.open;
      cover.close();
      if (shut) node.showModal();
    },
    close() {
      blank.close();
      sheet.close();
    },
  };

  app.store.add(({ words: { t, has }, lab }) => {
    if (!has('presenter.help')) return; // The words are on their way.
    attr(blank, 'aria-label', t('presenter.blank'));
    attr(sheet, 'aria-label', t('presenter.help'));
    setText(find('h2', sheet), t('presenter.help'));
    list(find('ul', sheet), help, (line) => line.action, (line) => h('li', {}, h('span', {}, ...line.keys.map((key) => h('kbd', {}, key))), h('span')),
      (item, line) => setText(item.children[1], t(`presenter.key.${line.action}`)));
    setText(find('.keys-on span', sheet), t('presenter.keys.on'));
    setText(find('p', sheet), t('presenter.keys.note'));
    setText(find('.announce span', sheet), t('presenter.announce'));
    for (const option of find('select', sheet).children) setText(option, t(`presenter.announce.${option.getAttribute('value')}`));
    find('.mode', sheet).hidden = lab?.stripe?.mode !== 'test';
    setText(find('.mode', sheet), t('presenter.mode.test'));
    setText(find('.primary', sheet), t('presenter.close'));
  });
  return cover;
}

/** What a screen reader is told of a run. */
function announcements() {
  const select = /** @type {HTMLSelectElement} */ (h('select', { onchange: () => keepWish(select.value) }, ...wishes.map((value) => h('option', { value }))));
  select.value = wish();
  return h('label.announce', {}, h('span'), select);
}
