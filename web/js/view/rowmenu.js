import { attr, h, list, setText } from '../lib/dom.js';
import { actions } from '../model/catalogue.js';

/**
 * The menu of a row: put a fault at its step. It arms for the next run; the past stays as it was.
 * @param {import('../app.js').App} app
 */
export function rowMenu(app) {
  const note = h('p');
  const groups = h('div');
  const clear = h('button.choice', { type: 'button', onclick: () => arm(null) });
  const menu = h('div.popover.row-menu', { id: 'row-menu', popover: 'auto', role: 'group' }, groups, clear, note);
  document.body.append(menu);
  /** @type {HTMLElement|null} */ let row = null;
  /** @type {string[]} */ let points = [];

  /** @param {import('../types.js').Fault|null} fault */
  function arm(fault) {
    menu.hidePopover();
    app.choose({ fault });
    setTimeout(() => /** @type {HTMLElement|null} */ (document.querySelector('#diagram .row[tabindex="0"]'))?.focus({ preventScroll: true }), 0);
  }

  app.store.add(({ words: { t } }) => {
    if (!menu.matches(':popover-open')) return;
    attr(menu, 'aria-label', t('menu.label'));
    setText(note, t('menu.note'));
    setText(clear, t('menu.clear'));
    list(groups, points, (point) => point, () => h('section', {}, h('h3'), h('div')), (node, point) => {
      setText(node.children[0], `${point} · ${t(`point.${point}`)}`);
      list(node.children[1], actions, (action) => action, (action) => h('button.choice', {
        type: 'button', onclick: () => arm({ point, action, times: 1, skip: 0 }),
      }), (button, action) => setText(button, t(`menu.${action}`)));
    });
  });

  /** @param {import('./item.js').Item} item @param {HTMLElement} node */
  return (item, node) => {
    if (item.points.length === 0) return;
    row = node;
    points = item.points;
    menu.showPopover();
    app.store.render();
    const box = row.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(box.left + box.width / 3, innerWidth - menu.offsetWidth - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(box.bottom, innerHeight - menu.offsetHeight - 8))}px`;
    menu.querySelector('button')?.focus();
  };
}
