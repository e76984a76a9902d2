import { h, setText } from '../lib/dom.js';

/** @param {HTMLElement} root @param {import('../app.js').App} app */
export function mount(root, app) {
  const title = h('h2.view-title');
  root.append(title);
  app.store.add((state) => setText(title, state.words.t('view.explore')));
  return {};
}
