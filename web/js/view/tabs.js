import { attr, h, setText } from '../lib/dom.js';

/**
 * A group of buttons of which one is pressed.
 * @param {import('../app.js').App} app @param {string[]} names @param {(name: string) => string} key  of its word
 * @param {'left'|'tab'} field  of the state
 */
export function tabs(app, names, key, field) {
  const buttons = names.map((name) => h('button', {
    type: 'button', 'data-tab': name, 'data-does': name === 'picture' ? 'window' : null, onclick: () => app.store.set(/** @type {any} */ ({ [field]: name })),
  }));
  const box = h('div.segments.tabs', { role: 'group' }, ...buttons);
  app.store.add((state) => {
    attr(box, 'aria-label', state.words.t(`tabs.${field}`));
    for (const button of buttons) {
      setText(button, state.words.t(key(String(button.dataset.tab))));
      attr(button, 'aria-pressed', String(button.dataset.tab === state[field]));
    }
  });
  return box;
}
