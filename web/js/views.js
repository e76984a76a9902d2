/**
 * The views beside the stage. Each is a module of its own with words of its own, loaded when it is opened first:
 * `mount(root, app)` builds it once, `show(route)` is called each time it is opened or its address changes.
 *
 * @typedef {{show?: (route: import('./model/route.js').Route) => void}} View
 * @typedef {{mount: (root: HTMLElement, app: import('./app.js').App) => View}} ViewModule
 */
import { attr, find, h } from './lib/dom.js';

/** @type {Record<string, () => Promise<ViewModule>>} */
const modules = {
  matrix: () => import('./view/matrix.js'),
  explore: () => import('./view/explore.js'),
  compare: () => import('./view/compare.js'),
  lessons: () => import('./view/lessons.js'),
  notes: () => import('./view/notes.js'),
};

/** The views that show the stage: shop, machine, money. */
export const stages = new Set(['story', 'lab', 'run']);

/** @param {HTMLElement} root @param {import('./app.js').App} app */
export function mountViews(root, app) {
  /** @type {Map<string, {node: HTMLElement, view: Promise<View>}>} */
  const open = new Map();
  let shown = '';

  app.store.add(({ route }) => {
    attr(document.body, 'data-view', route.view);
    find('#stage').hidden = !stages.has(route.view);
    find('#control').hidden = !stages.has(route.view);
    root.hidden = stages.has(route.view);
    const address = JSON.stringify(route);
    if (address === shown) return;
    shown = address;
    for (const [name, { node }] of open) node.hidden = name !== route.view;
    if (!(route.view in modules)) return;
    if (!open.has(route.view)) {
      const node = h(`section.view.${route.view}`, { 'data-name-key': `view.${route.view}` });
      root.append(node);
      open.set(route.view, { node, view: load(route.view, node) });
    }
    void open.get(route.view)?.view.then((view) => view.show?.(route));
  });

  /** @param {string} name @param {HTMLElement} node */
  async function load(name, node) {
    const [module] = await Promise.all([modules[name](), app.addWords(name)]);
    return module.mount(node, app);
  }
}
