import { attr, find } from '../lib/dom.js';
import { tabs } from './tabs.js';

/** The left column: what the customer sees, or the code of the strategy. @param {HTMLElement} root @param {import('../app.js').App} app */
export function mountLeft(root, app) {
  find('#left-head', root).append(tabs(app, ['shop', 'code'], (name) => `tab.${name}`, 'left'));
  app.store.add(({ left, route }) => {
    attr(document.body, 'data-left', left);
    const recorded = route.view === 'run';
    for (const id of ['shop', 'guess', 'phone', 'next', 'record']) root.querySelector(`#${id}`)?.classList.toggle('folded', left === 'code');
    for (const id of ['shop', 'guess', 'next']) root.querySelector(`#${id}`)?.classList.toggle('elsewhere', recorded);
  });
}
